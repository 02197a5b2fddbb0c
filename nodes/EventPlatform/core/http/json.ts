import type { Json, JsonObject } from './ports';

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Names are anybody's choice, and an assignment to `__proto__` makes no field. For ten fields this takes a third of the time
 * of `Object.fromEntries`.
 */
export function setField(object: JsonObject, name: string, value: Json): void {
	if (name !== '__proto__') object[name] = value;
	else Object.defineProperty(object, name, { value, ...plainField });
}

const plainField = { configurable: true, enumerable: true, writable: true };
