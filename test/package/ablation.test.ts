import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ofBulk } from '../support/runs/mechanisms';
import { root } from './built';

test.each(Object.entries(ofBulk))('the benchmarks can take away: %s', (_, [file, text]) => {
	const source = readFileSync(join(root, `nodes/EventPlatform/core/${file}.ts`), 'utf8');
	expect(source.split(text)).toHaveLength(2);
});
