import { NodeOperationError, type IDataObject, type ResourceMapperField } from 'n8n-workflow';
import { isObject, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { pathTo, problemOfId } from '../core/client/path';
import { unixSeconds } from './dates';
import {
	isNothing,
	readSwitch,
	textsIn,
	wordsForNothing,
	type NodeParameters,
} from './nodeParameters';
import { snakeCase } from './field';

export type Query = Record<string, string | number | boolean>;

export const usualMaxWaitSeconds = 900;
const lookAtExpression = 'Check the expression that gives it.';
/** Types of parameters that take no object. */
const textTypes = ['string', 'options', 'multiOptions'];

/** Reads the parameters of one item, and refuses what cannot be meant. */
export class ItemParameters {
	constructor(
		private readonly given: NodeParameters,
		private readonly itemIndex: number,
	) {}

	id(name: string): string {
		const next = 'Choose one, or give its ID.';
		const id = this.needed(name, undefined, next);
		const problem = problemOfId(id);
		if (problem) throw this.refusal(`'${this.given.title(name)}': ${problem}`, next);
		return id;
	}

	/** `{eventId}` stands for what that parameter gives. A beginning in brackets is left out where that was not added. */
	path(template: string): string {
		return template
			.replace(/^\[([^\]]*\{(\w+)\.(\w+)\})\]/g, (_, part: string, from: string, name: string) => {
				const added = from === 'filters' ? this.filters() : this.added(from);
				return added.some((one) => one.name === name) ? part : '';
			})
			.replace(/\{([\w.]+)\}/g, (_, name: string) => pathTo`${this.id(name)}`);
	}

	text(name: string): string {
		const given = this.value(name, '');
		const { value, mode } = isObject(given) && given.__rl ? given : { value: given, mode: '' };
		// Only an address needs n8n, which looks through all our fields for it. Of an empty one it says that the mode is wrong.
		const isAddress = mode === 'url' && text(value).trim() !== '';
		const found = isAddress ? this.value(name, '', { extractValue: true }) : value;
		if (typeof found !== 'object' || found === null) return text(found).trim();
		throw this.noText(name);
	}

	needed(name: string, clean = (given: string) => given, next?: string): string {
		const text = clean(this.text(name));
		if (text !== '' && !wordsForNothing.has(text)) return text;
		throw this.empty(name, next);
	}

	/** Not empty: `dates.ts` knows what can be one. */
	date(name: string): unknown {
		const given = this.value(name, '');
		if (!isNothing(given, 'dateTime')) return given;
		throw this.empty(name);
	}

	/** The columns of the items that expressions of the node read. */
	get columnsInExpressions(): ReadonlySet<string> {
		return this.given.columnsInExpressions;
	}

	flag(name: string, fallback = false): boolean {
		return this.switched(name, this.value(name, fallback));
	}

	/** A switch among the options; the fallback is for one that was not added. */
	option(name: string, fallback = false): boolean {
		const chosen = this.chosen('options');
		return name in chosen ? this.switched(`options.${name}`, chosen[name]) : fallback;
	}

	chosen(collection: string): IDataObject {
		return { ...(this.value(collection, {}) as IDataObject) };
	}

	/** The fields that were added to a collection, as they are described, and what is given for each; of a locator the id. */
	private added(collection: string) {
		const chosen = this.chosen(collection);
		const fields = this.given.within(collection).filter(({ name }) => name in chosen);
		return fields.map((field) => {
			const path = `${collection}.${field.name}`;
			const isLocator = field.type === 'resourceLocator';
			const given: unknown = isLocator ? this.text(path) : chosen[field.name];
			return { ...field, path, given };
		});
	}

	/** The filters that were added. An empty one would find everything, so it is refused unless that is wanted. */
	private filters() {
		const added = this.added('filters');
		const ifEmpty = added.find(({ name }) => name === 'emptyFilters')?.given;
		return added.filter(({ name, type, displayName, given }) => {
			if (name === 'emptyFilters') return false;
			if (!isNothing(given, type)) return true;
			if (ifEmpty === 'ignore') return false;
			throw this.refusal(
				`The filter '${displayName}' is empty`,
				"The filter has no value, and without it the node would return everything. Check its expression, remove the filter, or add 'When a Filter Is Empty'.",
			);
		});
	}

	/** Gives the changes of an update. An emptied field is a change; an update without any is refused. */
	changes(): JsonObject {
		const changes = this.toSend('updateFields');
		if (Object.keys(changes).length > 0) return changes;
		throw this.refusal('There is nothing to update', "Add at least one field to 'Update Fields'.");
	}

	/** Gives the values of the mapper and the columns it had at set-up; or the item itself, without columns. */
	mapped(): { values: IDataObject; columns?: ResourceMapperField[] } {
		if (this.value('fields.mappingMode', '') === 'autoMapInputData') {
			return { values: this.given.context.getInputData()[this.itemIndex]?.json ?? {} };
		}
		// n8n would end the run at the first value that does not fit its column; that concerns one item.
		const values = this.value('fields.value', {}, { skipValidation: true }) ?? {};
		const columns = this.value('fields.schema', []);
		return {
			values: values as IDataObject,
			columns: Array.isArray(columns) ? (columns as ResourceMapperField[]) : [],
		};
	}

	/** As a list gives them, or a text such as "email, role" from an expression. */
	names(name: string): string[] {
		return textsIn(this.value(name, []), /[\s,]/);
	}

	simplify(): boolean {
		return this.flag('simplify', true);
	}

	/** How many records of a list are wanted; undefined: all. */
	limit(): number | undefined {
		if (this.flag('returnAll')) return undefined;
		const limit = Number(this.value('limit', 50));
		if (Number.isInteger(limit) && limit >= 1) return limit;
		const next = "Turn on 'Return All' for no limit.";
		throw this.refusal("'Limit' must be a whole number, 1 or higher", next);
	}

	/** Reads *Max Wait* of the options. 0 and less is refused, because it would not allow a single request. */
	maxWaitSeconds(): number {
		const seconds = Number(this.chosen('options').maxWaitSeconds ?? usualMaxWaitSeconds);
		if (seconds > 0) return seconds;
		throw this.refusal("'Max Wait' must be a number of seconds above 0");
	}

	/** Query parameters of the filters and, by their own names, of the `options` named. What was left empty is not sent. */
	query(...options: string[]): Query {
		const named = this.added('options').filter(({ name }) => options.includes(name));
		const query: Query = {};
		for (const field of [...this.filters(), ...named]) {
			const { name, type, path, given } = field;
			// A locator is part of the path, and read as an id.
			if (type === 'resourceLocator' || isNothing(given, type)) continue;
			let value: Query[string] | undefined = [given].flat().map(text).join(',').trim();
			if (typeof field.default === 'boolean') value = this.switched(path, given);
			if (type === 'dateTime') value = unixSeconds(given, this.zone);
			const key = snakeCase(name);
			if (value === undefined) {
				throw this.refusal(
					`'${field.displayName}': this is not a date`,
					'Give an ISO 8601 date such as 2026-11-28T10:30:00Z, or Unix seconds.',
				);
			}
			query[path.startsWith('filters') ? `filter[${key}]` : key] = value;
		}
		return query;
	}

	/** The time zone of dates that name none. */
	get zone(): string {
		return this.given.context.getTimezone();
	}

	private value(
		name: string,
		fallback: unknown,
		options?: { extractValue?: true; skipValidation?: true },
	): unknown {
		return this.given.value(this.itemIndex, name, fallback, options);
	}

	refusal(message: string, description?: string): NodeOperationError {
		const { itemIndex, given } = this;
		return new NodeOperationError(given.context.getNode(), message, { itemIndex, description });
	}

	/** Gives the added fields as the platform takes them. Empty ones are left out, but for a text that a change empties. */
	toSend(collection: 'additionalFields' | 'updateFields'): JsonObject {
		const isChange = collection === 'updateFields';
		const sent: Record<string, unknown> = {};
		for (const { name, type, path, given } of this.added(collection)) {
			const isGone = given === '' && type === 'resourceLocator' && isChange;
			if (isGone || wordsForNothing.has(text(given).trim())) throw this.empty(path);
			if (given === '' && !(type === 'string' && isChange)) continue;
			if (given === undefined || given === null) continue;
			const texts = type === 'multiOptions' ? [given].flat() : [given];
			if (textTypes.includes(type) && texts.some((one) => typeof one === 'object')) {
				throw this.noText(path);
			}
			const value = type === 'string' ? text(given) : given;
			sent[snakeCase(name)] = type === 'boolean' ? this.switched(path, given) : value;
		}
		return sent as JsonObject;
	}

	switched(path: string, given: unknown): boolean {
		const on = readSwitch(given, this.given.title(path));
		if (typeof on === 'boolean') return on;
		throw this.refusal(on.message, 'Give true or false. Nothing was sent.');
	}

	empty(path: string, next = lookAtExpression): NodeOperationError {
		return this.refusal(`'${this.given.title(path)}' is empty`, next);
	}

	private noText(path: string): NodeOperationError {
		return this.refusal(`'${this.given.title(path)}' is not a text`, lookAtExpression);
	}
}
