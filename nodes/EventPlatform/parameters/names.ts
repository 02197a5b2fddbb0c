import type { IDataObject } from 'n8n-workflow';
import type { Json, JsonObject } from '../core/http/json';

/** The name of a parameter as the platform's API writes it. */
export function snakeCase(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const acronyms = new Set(['html', 'id', 'ip', 'os', 'url', 'utm']);

/** "owner_id" as people read it: "Owner ID". */
export function titleCase(name: string): string {
	return name
		.split(/[\s_-]+/)
		.map((word) =>
			acronyms.has(word) ? word.toUpperCase() : word.slice(0, 1).toUpperCase() + word.slice(1),
		)
		.join(' ');
}

/** The fields of a record as the platform takes them. Undefined values are left out, empty texts are kept. */
export function attributes(chosen: IDataObject): JsonObject {
	return Object.fromEntries(
		Object.entries(chosen)
			.filter(([, value]) => value !== undefined && value !== null)
			.map(([name, value]) => [snakeCase(name), value as Json]),
	);
}
