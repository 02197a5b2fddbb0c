import { textThat, type Reader } from '../values/storedShape';
import { text, thousands } from '../values/text';
import type { ApiRequest } from './request';

/** Builds a path below /v1. Every value becomes exactly one segment, whatever it contains. */
export function pathTo(texts: TemplateStringsArray, ...segments: unknown[]): string {
	return texts.reduce((path, text, index) => path + encodeSegment(segments[index - 1]) + text);
}

export function pathToPeople(sessionId: string): string {
	return pathTo`/sessions/${sessionId}/people`;
}

export function pathToPerson(sessionId: string, personId: unknown): string {
	return pathTo`/sessions/${sessionId}/people/${personId}`;
}

/** IDs are UUIDs of 36 characters. Servers refuse an address of some thousand characters without telling why. This is far from both. */
const longestId = 256;

/** Describes why a value cannot be an id; undefined where it can. */
export function problemOfId(id: unknown): string | undefined {
	if (typeof id !== 'string' || id.trim() === '') return 'The ID is empty or not a text.';
	if (id.length > longestId) return `A text of ${thousands(id.length)} characters cannot be an ID.`;
	// A dot segment would climb out of the path, encoded or not.
	if (/^\.{1,2}$/.test(id.trim())) return `"${id}" cannot be an ID.`;
	return isBroken(id) ? 'An ID contains an invalid character.' : undefined;
}

export const storedId: Reader<string> = textThat((id) => problemOfId(id) === undefined);

function isUuid(id: unknown): id is string {
	return typeof id === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
}

/**
 * The spelling in which ids are compared, and by which something is kept: UUIDs have no letter case; whether other ids have one, only the
 * platform knows. Requests have an id as it was given, but the session of a row (form/readRegistrant.ts).
 */
export function normalizeId(id: string): string {
	return isUuid(id) ? id.toLowerCase() : id;
}

/** Two ids name the same record. */
export function isSameId(first: unknown, second: unknown): boolean {
	return normalizeId(text(first)) === normalizeId(text(second));
}

export function areDifferentUuids(first: unknown, second: unknown): boolean {
	return isUuid(first) && isUuid(second) && normalizeId(first) !== normalizeId(second);
}

function encodeSegment(value: unknown): string {
	const problem = problemOfId(value);
	if (problem !== undefined) throw new InvalidSegment(problem);
	return encodeURIComponent(String(value).trim());
}

/** Writes the query of an address, with its question mark; empty where there are no parameters. */
export function queryString(query: ApiRequest['query'] = {}): string {
	const parts = Object.entries(query).map(([name, value]) => {
		if (!isBroken(String(value))) return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
		throw new InvalidSegment(`The value of '${name}' contains an invalid character.`);
	});
	return parts.length > 0 ? `?${parts.join('&')}` : '';
}

/** No address can hold half of a surrogate pair. */
function isBroken(text: string): boolean {
	return /\p{Surrogate}/u.test(text);
}

/** The error of a value that cannot stand in an address. Nothing was sent. */
export class InvalidSegment extends Error {
	override readonly name = 'InvalidSegment';
}
