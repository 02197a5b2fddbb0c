import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Json, JsonObject } from '../core/http/ports';
import { unixSeconds } from './dates';
import { text } from '../core/http/text';

export type Query = Record<string, string | number | boolean>;

/** Parameters are named as n8n names them, the platform's fields as JSON:API names them. */
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

export const asFilter = (name: string) => `filter[${snakeCase(name)}]`;

/** Whether a field gives nothing to ask for. Only a date may be an object. */
export function isNothing(value: unknown, { type }: Pick<INodeProperties, 'type'>): boolean {
	return [value].flat().every((one) => {
		if (typeof one === 'object' && one !== null) return type !== 'dateTime';
		return text(one).trim() === '';
	});
}

/** Query parameters of what was chosen in a collection. What was left empty is not sent. */
export function query(
	chosen: IDataObject,
	described: readonly INodeProperties[],
	key: (name: string) => string,
	workflowZone: string,
): { query: Query; notDates: string[] } {
	const result: Query = {};
	const notDates: string[] = [];
	for (const [name, value] of Object.entries(chosen)) {
		const field = described.find((candidate) => candidate.name === name);
		const given = Array.isArray(value) ? value.map(text).join(',') : value;
		// A locator is part of the path, and read as an id.
		if (field === undefined || field.type === 'resourceLocator') continue;
		if (isNothing(given, field)) continue;
		if (field.type !== 'dateTime') {
			result[key(name)] = typeof given === 'boolean' ? given : text(given).trim();
			continue;
		}
		const seconds = unixSeconds(given, workflowZone);
		if (seconds === undefined) notDates.push(field.displayName);
		else result[key(name)] = seconds;
	}
	return { query: result, notDates };
}
