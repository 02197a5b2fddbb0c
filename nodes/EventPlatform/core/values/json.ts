export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
	[key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON. Integers that JavaScript cannot hold, such as ids, become texts of all their digits. */
export function parseJson(text: string): unknown {
	const mayLoseDigits = longInteger.test(text);
	return JSON.parse(!mayLoseDigits ? text : text.replace(textsAndNumbers, asText)) as unknown;
}

/** This pattern finds out quickly whether there may be such an integer. The digits may also stand in a text. */
const longInteger = /\d{16}/;
const textsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

function asText(token: string): string {
	const isInteger = /^-?\d+$/.test(token);
	return isInteger && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
}
