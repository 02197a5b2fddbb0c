/** A package as `npm pack` has written it. */
export interface Packed {
	filename: string;
	/** Bytes of the file. */
	size: number;
	files: Array<{ path: string }>;
}

/** What `npm pack --json` says of the only package: npm 12 gives an object keyed by name, earlier ones a list. */
export function packedIn(printed: string): Packed;
