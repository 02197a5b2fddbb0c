/** Builds a path below /v1. Every value becomes exactly one segment, whatever it contains. */
export function pathTo(texts: TemplateStringsArray, ...segments: unknown[]): string {
	return texts.reduce((path, text, index) => path + encodeSegment(segments[index - 1]) + text);
}

function encodeSegment(value: unknown): string {
	const segment = typeof value === 'number' ? String(value) : value;
	if (typeof segment !== 'string' || segment.trim() === '') {
		throw new InvalidSegment('An id is missing: it is empty or not a text.');
	}
	// A dot segment would climb out of the path, encoded or not.
	if (/^\.{1,2}$/.test(segment.trim())) {
		throw new InvalidSegment(`"${segment}" cannot be an id.`);
	}
	const encoded = encode(segment.trim());
	if (encoded === undefined) throw new InvalidSegment('An id holds a broken character.');
	return encoded;
}

function encode(segment: string): string | undefined {
	try {
		return encodeURIComponent(segment);
	} catch {
		// Half of a surrogate pair
		return undefined;
	}
}

/** A value that cannot stand in a path. Nothing was sent. */
export class InvalidSegment extends Error {
	override readonly name = 'InvalidSegment';
}
