import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rows } from '../../../certify/rows';
import { uses } from '../../../certify/uses';

test('every file that is said to rely on a statement is there', () => {
	const files = Object.values(uses).flatMap(([, ...names]) => names);
	const root = join(__dirname, '../../../nodes/EventPlatform');
	expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('every statement has a name of its own, and every feature a statement', () => {
	const ids = rows.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	const relied = new Set(rows.flatMap(({ reliesOn }) => reliesOn));
	expect(Object.keys(uses).filter((use) => !relied.has(use as keyof typeof uses))).toEqual([]);
});
