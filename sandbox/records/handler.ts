import type { Platform } from '../platform';

/** A request that the contract found in order. Lists of the query are arrays, numbers are numbers. */
export interface Call {
	platform: Platform;
	path: Readonly<Record<string, string>>;
	query: Readonly<Record<string, unknown>>;
	/** Checked against the contract; each handler names the shape it relies on. */
	body: unknown;
}

export interface Answered {
	status: number;
	body?: unknown;
	/** Said in spite of the Accept header. */
	contentType?: string;
}

export type Handler = (call: Call) => Answered;

/** The id that stands in the path. */
export function pathId(call: Call, name: string): string {
	return call.path[name] ?? '';
}
