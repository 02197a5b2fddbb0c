import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mechanisms } from '../bench/bulkAblation';
import { mechanisms as ofPace } from '../bench/pace';
import { root } from './built';

const changes = [
	...Object.entries(mechanisms).map(([name, [file, text]]) => [name, file, text] as const),
	...Object.entries(ofPace).map(([name, [text]]) => [name, 'pace/limit', text] as const),
];

test.each(changes)('the benchmark can still do without "%s"', (_, file, text) => {
	const source = readFileSync(join(root, `nodes/EventPlatform/core/${file}.ts`), 'utf8');
	expect(source.split(text)).toHaveLength(2);
});
