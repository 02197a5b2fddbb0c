export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
	[key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Integers that JavaScript cannot hold, such as ids, become texts of all their digits. */
export function parseJson(text: string): unknown {
	const isExact = !longInteger.test(text);
	return JSON.parse(isExact ? text : text.replace(textsAndNumbers, asText)) as unknown;
}

/** Quickly found; it may stand in a text as well. */
const longInteger = /\d{16}/;
const textsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

function asText(found: string): string {
	const isInteger = /^-?\d+$/.test(found);
	return isInteger && !Number.isSafeInteger(Number(found)) ? `"${found}"` : found;
}
