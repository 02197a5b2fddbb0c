export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
	[key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
