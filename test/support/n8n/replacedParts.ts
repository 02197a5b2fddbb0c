/** A part of a stored value, replaced by something of another shape. */
export interface Replaced {
	/** Where the part stood. */
	path: ReadonlyArray<string | number>;
	by: unknown;
	/** All that n8n has stored, as its database holds it. */
	stored: string;
}

const deep = [{ lists: { seen: [[{ from: [null, { at: 'x' }] }]] } }];
const replacements = [null, 7, -1, 1e300, true, 'text', [], {}, deep];

/** Each part of what is stored for the node, replaced by each value of another shape. */
export function eachPart(stored: unknown): Replaced[] {
	return partsOf(stored).flatMap((path) => replacements.map((by) => replaced(stored, path, by)));
}

/** Each part once; which value stands in its place goes round. */
export function oneOfEachPart(stored: unknown): Replaced[] {
	const parts = partsOf(stored);
	const replacementFor = (index: number) => replacements[index % replacements.length];
	return parts.map((path, index) => replaced(stored, path, replacementFor(index)));
}

export function titleOf({ path, by }: Replaced): string {
	return `${path.join('.')} = ${JSON.stringify(by)}`;
}

/** Where the parts of a value stand. n8n itself makes the whole, which is an object. */
function partsOf(value: unknown, path: Replaced['path'] = []): Array<Replaced['path']> {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value as Record<string, unknown>).flatMap(([name, part]) => {
		const pathOfPart = [...path, name];
		return [pathOfPart, ...partsOf(part, pathOfPart)];
	});
}

function replaced(stored: unknown, path: Replaced['path'], by: unknown): Replaced {
	const all = replacedAt({ 'node:Platform': stored }, ['node:Platform', ...path], by);
	return { path, by, stored: JSON.stringify(all) };
}

function replacedAt(value: unknown, [name, ...path]: Replaced['path'], by: unknown): unknown {
	if (name === undefined) return by;
	const copy = structuredClone(value) as Record<string | number, unknown>;
	copy[name] = replacedAt(copy[name], path, by);
	return copy;
}
