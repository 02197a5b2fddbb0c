import {
	NodeOperationError,
	type IDataObject,
	type IGetNodeParameterOptions,
	type ResourceMapperField,
} from 'n8n-workflow';
import { isObject, quote, text } from '../core/http/json';
import { pathTo, problemOfId } from '../core/http/path';
import { unixSeconds } from './dates';
import { isNothing, isOn, textsIn, wordsForNothing, type Given } from './given';
import { snakeCase } from './names';

export type Query = Record<string, string | number | boolean>;

export const usualMaxWaitSeconds = 900;
const lookAtExpression = 'Check the expression that gives it.';

/** Reads the parameters of one item, and refuses what cannot be meant. */
export class Read {
	constructor(
		private readonly given: Given,
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
				const added = from === 'filters' ? this.filters() : this.chosen(from);
				return name in added ? part : '';
			})
			.replace(/\{([\w.]+)\}/g, (_, name: string) => pathTo`${this.id(name)}`);
	}

	text(name: string): string {
		const given = this.value(name, '');
		const isLocator = isObject(given) && given.__rl === true;
		const { value, mode } = isLocator ? given : { value: given, mode: '' };
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
		return isNothing(given, 'dateTime') ? this.needed(name) : given;
	}

	flag(name: string, fallback = false): boolean {
		return this.switched(name, this.value(name, fallback));
	}

	/** A switch among the options; the fallback is for one that was not added. */
	option(name: string, fallback = false): boolean {
		const chosen = this.chosen('options');
		return name in chosen ? this.switched(`options.${name}`, chosen[name]) : fallback;
	}

	/** What was chosen in a collection; of a locator inside it the id. */
	chosen(name: string): IDataObject {
		const chosen = { ...(this.value(name, {}) as IDataObject) };
		for (const { name: inner, type } of this.given.within(name)) {
			if (type !== 'resourceLocator' || !(inner in chosen)) continue;
			chosen[inner] = this.text(`${name}.${inner}`);
		}
		return chosen;
	}

	/** The filters that were added. An empty one would find everything, so it is refused unless that is wanted. */
	private filters(): IDataObject {
		const { emptyFilters, ...added } = this.chosen('filters');
		for (const { name, type, displayName } of this.given.within('filters')) {
			if (!(name in added) || !isNothing(added[name], type)) continue;
			if (emptyFilters !== 'ignore') {
				throw this.refusal(
					`The filter '${displayName}' is empty`,
					"The filter has no value, and without it the node would return everything. Check its expression, remove the filter, or add 'When a Filter Is Empty'.",
				);
			}
			delete added[name];
		}
		return added;
	}

	/** What an update changes; an emptied field counts, no field at all is refused. */
	changes(): IDataObject {
		const changes = this.toSend('updateFields');
		if (Object.keys(changes).length > 0) return changes;
		throw this.refusal('There is nothing to update', "Add at least one field to 'Update Fields'.");
	}

	/** What the mapper gives: the values entered and the columns it had at set-up; or the item itself, without columns. */
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
		throw this.refusal(
			"'Limit' is not a whole number above 0",
			"Turn on 'Return All' for no limit.",
		);
	}

	/** Of the options. Refused at 0 and below, where not even one request would be allowed. */
	maxWaitSeconds(): number {
		const seconds = Number(this.chosen('options').maxWaitSeconds ?? usualMaxWaitSeconds);
		if (seconds > 0) return seconds;
		throw this.refusal("'Max Wait' is not a number of seconds above 0");
	}

	/** Query parameters of `filters` and, by their own names, of the `options` named. */
	query(...options: string[]): Query {
		const chosen = this.chosen('options');
		const named = Object.fromEntries(options.map((name) => [name, chosen[name]]));
		return {
			...this.queryOf('filters', this.filters(), (name) => `filter[${snakeCase(name)}]`),
			...this.queryOf('options', named, snakeCase),
		};
	}

	/** That dates without one are meant in. */
	get zone(): string {
		return this.given.context.getTimezone();
	}

	private value(name: string, fallback: unknown, options?: IGetNodeParameterOptions): unknown {
		return this.given.value(this.itemIndex, name, fallback, options);
	}

	refusal(message: string, description?: string): NodeOperationError {
		const { itemIndex, given } = this;
		return new NodeOperationError(given.context.getNode(), message, { itemIndex, description });
	}

	/** What was added to a record, of the types of its fields. What is empty is left out, but for a text that a change empties. */
	toSend(collection: 'additionalFields' | 'updateFields'): IDataObject {
		const chosen = this.chosen(collection);
		const sent: IDataObject = {};
		for (const { name, type } of this.given.within(collection)) {
			const path = `${collection}.${name}`;
			const given = chosen[name] ?? undefined;
			const isChange = collection === 'updateFields';
			if (given === '' && type === 'resourceLocator' && isChange) throw this.empty(path);
			if (given === undefined || (given === '' && !(type === 'string' && isChange))) continue;
			const isText = ['string', 'options', 'multiOptions'].includes(type);
			const texts = type === 'multiOptions' ? [given].flat() : [given];
			if (isText && texts.some((one) => typeof one === 'object')) throw this.noText(path);
			if (wordsForNothing.has(text(given).trim())) throw this.empty(path);
			const value = type === 'string' ? text(given) : given;
			sent[name] = type === 'boolean' ? this.switched(path, given) : value;
		}
		return sent;
	}

	empty(path: string, next = lookAtExpression): NodeOperationError {
		return this.refusal(`'${this.given.title(path)}' is empty`, next);
	}

	private noText(path: string): NodeOperationError {
		return this.refusal(`'${this.given.title(path)}' is not a text`, lookAtExpression);
	}

	private switched(path: string, given: unknown): boolean {
		const on = isOn(given);
		if (on !== undefined) return on;
		throw this.refusal(
			`'${this.given.title(path)}' is neither on nor off: it is ${quote(JSON.stringify(given)) ?? 'something else'}`,
			'Give true or false. Nothing was sent.',
		);
	}

	/** Query parameters of what was chosen in a collection. What was left empty is not sent. */
	private queryOf(collection: string, chosen: IDataObject, key: (name: string) => string): Query {
		const query: Query = {};
		const notDates: string[] = [];
		for (const { name, type, default: usual } of this.given.within(collection)) {
			const given = chosen[name];
			// A locator is part of the path, and read as an id.
			if (type === 'resourceLocator' || isNothing(given, type)) continue;
			const path = `${collection}.${name}`;
			let value: Query[string] | undefined = [given].flat().map(text).join(',').trim();
			if (typeof usual === 'boolean') value = this.switched(path, given);
			if (type === 'dateTime') value = unixSeconds(given, this.zone);
			if (value === undefined) notDates.push(`'${this.given.title(path)}'`);
			else query[key(name)] = value;
		}
		if (notDates.length === 0) return query;
		throw this.refusal(
			`${notDates.join(' and ')}: this is not a date`,
			'Give an ISO 8601 date such as 2026-11-28T10:30:00Z, or Unix seconds.',
		);
	}
}
