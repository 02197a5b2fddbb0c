import { pathTo } from '../core/client/path';
import type { Query } from '../core/client/request';
import type { JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { snakeCase } from './fieldNames';
import type { AddedField, ItemParameters } from './itemParameters';
import { isNothing, wordsForNothing } from './parameterValues';
import { unixSeconds } from './typedDates';

/* Makes the parts of a request out of the parameters of one item. */

/** Fills the IDs of the locators into a path. */
export function filledPath(parameters: ItemParameters, template: string): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => pathTo`${parameters.id(name)}`);
}

/** The path to one record or to a list. An event among the filters or the options leads to the part of that event. */
export function pathToRecords(parameters: ItemParameters, template: string): string {
	const added = [...addedFilters(parameters), ...parameters.addedFields('options')];
	const event = added.find(({ name }) => name === 'eventId');
	const beginning = event === undefined ? '' : pathTo`/events/${parameters.id(event.path)}`;
	return beginning + filledPath(parameters, template);
}

/** The options keep their names. Empty ones are not sent. */
export function queryOf(parameters: ItemParameters, options: readonly string[] = []): Query {
	const sentOptions = parameters
		.addedFields('options')
		.filter(({ name }) => options.includes(name));
	const query: Record<string, Query[string]> = {};
	for (const field of [...addedFilters(parameters), ...sentOptions]) {
		const { name, type, path, value } = field;
		// A locator is part of the path, which reads it as an ID.
		if (type === 'resourceLocator' || isNothing(value, type)) continue;
		const key = snakeCase(name);
		query[path.startsWith('filters') ? `filter[${key}]` : key] = queryValue(field, parameters);
	}
	return query;
}

function queryValue(
	{ type, path, value, displayName, default: initial }: AddedField,
	parameters: ItemParameters,
): Query[string] {
	if (typeof initial === 'boolean') return parameters.parseSwitch(path, value);
	if (type !== 'dateTime') return [value].flat().map(text).join(',').trim();
	const seconds = unixSeconds(value, parameters.zone);
	if (seconds !== undefined) return seconds;
	throw parameters.parameterError(
		`'${displayName}': this is not a date`,
		'Give an ISO 8601 date such as 2026-11-28T10:30:00Z, or Unix seconds.',
	);
}

/** An empty filter would find everything, so it is refused. */
function addedFilters(parameters: ItemParameters): AddedField[] {
	const filters = parameters.addedFields('filters');
	const empty = filters.find(({ type, value }) => isNothing(value, type));
	if (empty === undefined) return filters;
	throw parameters.parameterError(
		`The filter '${empty.displayName}' is empty`,
		'The filter has no value, and without it the node would return everything. Check its expression, or remove the filter.',
	);
}

export function addedAttributes(parameters: ItemParameters): JsonObject {
	return attributesIn('additionalFields', parameters);
}

/** A text that was emptied is a change. */
export function changedAttributes(parameters: ItemParameters): JsonObject {
	const changes = attributesIn('updateFields', parameters);
	if (Object.keys(changes).length > 0) return changes;
	throw parameters.parameterError(
		'There is nothing to update',
		"Add at least one field to 'Update Fields'.",
	);
}

const textTypes = ['string', 'options', 'multiOptions'];

function attributesIn(
	collection: 'additionalFields' | 'updateFields',
	parameters: ItemParameters,
): JsonObject {
	const isChange = collection === 'updateFields';
	const attributes: Record<string, unknown> = {};
	for (const { name, type, path, value } of parameters.addedFields(collection)) {
		// In a new record a locator that was left as it is means nothing, but an expression was to give something.
		const isMeant = isChange || parameters.hasExpression(path);
		const isMissing = value === '' && type === 'resourceLocator' && isMeant;
		if (isMissing || wordsForNothing.has(text(value).trim())) throw parameters.emptyError(path);
		if (value === '' && !(type === 'string' && isChange)) continue;
		if (value === undefined || value === null) continue;
		const texts = type === 'multiOptions' ? [value].flat() : [value];
		if (textTypes.includes(type) && texts.some((part) => typeof part === 'object')) {
			throw parameters.noTextError(path);
		}
		if (type === 'boolean') attributes[snakeCase(name)] = parameters.parseSwitch(path, value);
		else attributes[snakeCase(name)] = type === 'string' ? text(value) : value;
	}
	return attributes as JsonObject;
}
