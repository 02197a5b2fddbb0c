import { rows } from '../../../certify/rows';
import { uses } from '../../../certify/uses';

test('every statement has a name of its own, and every feature a statement', () => {
	const ids = rows.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	const relied = new Set(rows.flatMap(({ reliesOn }) => reliesOn));
	expect(Object.keys(uses).filter((use) => !relied.has(use as keyof typeof uses))).toEqual([]);
});
