import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type IGetNodeParameterOptions,
	type INodeProperties,
	type ResourceMapperField,
} from 'n8n-workflow';
import { isObject } from '../core/http/json';
import { pathTo, problemOfId } from '../core/http/path';
import { quote, text } from '../core/http/text';
import { unixSeconds } from './dates';
import type { Given } from './given';
import { textsIn, snakeCase, wordsForNothing } from './names';
import { isOn } from './switch';

export type Query = Record<string, string | number | boolean>;

/** Reads the parameters of one item, and refuses what cannot be meant. */
export class Read {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly given: Given,
		private readonly itemIndex: number,
		/** Those of the operation: they say which filters are dates. */
		private readonly fields: readonly INodeProperties[],
	) {}

	/** An id, from a locator or a plain field. */
	id(name: string): string {
		const id = this.text(name);
		const next = 'Choose one, or give its ID.';
		if (id === '' || wordsForNothing.has(id)) throw this.empty(this.title(name), next);
		const problem = problemOfId(id);
		if (problem === undefined) return id;
		throw this.refusal(`'${this.title(name)}': ${problem}`, next);
	}

	/**
	 * A path of the platform: `{eventId}` in it stands for what that parameter gives. A beginning in brackets is left out where
	 * what it names was not added to its collection.
	 */
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
		// Out of nothing n8n cannot extract an ID, and says that the mode is wrong.
		const within = isObject(given) && given.__rl === true ? given.value : given;
		if (typeof (within ?? '') !== 'object' && text(within).trim() === '') return '';
		// Only an address needs n8n to extract from it, for which it looks through all our fields.
		const isAddress = within !== given && isObject(given) && given.mode === 'url';
		const value = isAddress ? this.value(name, '', { extractValue: true }) : within;
		if (typeof value !== 'object' || value === null) return text(value).trim();
		throw this.noText(this.title(name));
	}

	/** A text that must not be empty. */
	needed(name: string, clean = (given: string) => given): string {
		const text = clean(this.text(name));
		if (text !== '' && !wordsForNothing.has(text)) return text;
		throw this.empty(this.title(name));
	}

	/** As it came, but not empty: `dates.ts` knows what can be one. */
	date(name: string): unknown {
		const given = this.value(name, '');
		return isNothing(given, { type: 'dateTime' }) ? this.needed(name) : given;
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
		for (const field of this.within(name)) {
			if (field.type !== 'resourceLocator' || !(field.name in chosen)) continue;
			chosen[field.name] = this.text(`${name}.${field.name}`);
		}
		return chosen;
	}

	/** What was chosen and filled in, to be sent. */
	filled(name: string): IDataObject {
		const filled = Object.entries(this.toSend(name)).filter(([, value]) => value !== '');
		return Object.fromEntries(filled);
	}

	/** The filters that were added. An empty one would find everything, so it is refused unless that is wanted. */
	filters(): IDataObject {
		const { emptyFilters, ...added } = this.chosen('filters');
		const empty = this.within('filters').filter(
			(field) => field.name in added && isNothing(added[field.name], field),
		);
		const [first] = empty;
		if (first && emptyFilters !== 'ignore') {
			throw this.refusal(
				`The filter '${first.displayName}' is empty`,
				"The filter has no value, and without it the node would return everything. Check its expression, remove the filter, or add 'When a Filter Is Empty'.",
			);
		}
		for (const { name } of empty) delete added[name];
		return added;
	}

	/** What an update changes; an emptied field counts, no field at all is refused. */
	changes(): IDataObject {
		const changes = this.toSend('updateFields');
		for (const { name, type, displayName } of this.within('updateFields')) {
			if (type === 'resourceLocator' && changes[name] === '') throw this.empty(displayName);
		}
		if (Object.keys(changes).length > 0) return changes;
		throw this.refusal('There is nothing to update', "Add at least one field to 'Update Fields'.");
	}

	/** What a resource mapper gives for this item: the values entered, or the item itself. */
	mapped(name: string): IDataObject {
		if (this.mapsAutomatically(name))
			return this.context.getInputData()[this.itemIndex]?.json ?? {};
		// n8n would end the run at the first value that does not fit its column; that concerns one item.
		return (this.value(`${name}.value`, {}, { skipValidation: true }) ?? {}) as IDataObject;
	}

	mapsAutomatically(name: string): boolean {
		return this.value(`${name}.mappingMode`, '') === 'autoMapInputData';
	}

	/** The columns that the mapper had when the node was set up. */
	mapperColumns(name: string): ResourceMapperField[] {
		const columns = this.value(`${name}.schema`, []);
		return Array.isArray(columns) ? (columns as ResourceMapperField[]) : [];
	}

	/** As a list gives them, or a text such as "email, role" from an expression. */
	names(name: string): string[] {
		return textsIn(this.value(name, []), /[\s,]/);
	}

	simplify(): boolean {
		return this.flag('simplify', true);
	}

	/** How many records of a list are wanted; undefined: all of them. */
	limit(): number | undefined {
		if (this.flag('returnAll')) return undefined;
		const limit = Number(this.value('limit', 50));
		if (Number.isInteger(limit) && limit >= 1) return limit;
		throw this.refusal(
			"'Limit' is not a whole number above 0",
			"Turn on 'Return All' for no limit.",
		);
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

	/** The time zone that dates without one are meant in. */
	get zone(): string {
		return this.context.getTimezone();
	}

	refusal(message: string, description?: string): NodeOperationError {
		return new NodeOperationError(this.context.getNode(), message, {
			itemIndex: this.itemIndex,
			description,
		});
	}

	private value(name: string, fallback: unknown, options?: IGetNodeParameterOptions): unknown {
		return this.given.value(name, this.itemIndex, fallback, options);
	}

	/**
	 * What was added to a record, of the types of its fields, whatever an expression gives. Where it gives nothing the field is left
	 * out: only a text can be empty.
	 */
	private toSend(collection: string): IDataObject {
		const chosen = this.chosen(collection);
		const sent: IDataObject = {};
		for (const { name, type, displayName } of this.within(collection)) {
			const given = chosen[name] ?? undefined;
			const isNone = given === '' && ['boolean', 'dateTime', 'options'].includes(type);
			if (given === undefined || isNone) continue;
			if (isText[type]?.(given) === false) throw this.noText(displayName);
			if (wordsForNothing.has(text(given).trim())) throw this.empty(displayName);
			const value = type === 'string' ? text(given) : given;
			sent[name] = type === 'boolean' ? this.switched(`${collection}.${name}`, given) : value;
		}
		return sent;
	}

	empty(title: string, next = 'Check the expression that gives it.'): NodeOperationError {
		return this.refusal(`'${title}' is empty`, next);
	}

	private noText(title: string): NodeOperationError {
		return this.refusal(`'${title}' is not a text`, 'Check the expression that gives it.');
	}

	private switched(name: string, given: unknown): boolean {
		const on = isOn(given);
		if (on !== undefined) return on;
		throw this.refusal(
			`'${this.title(name)}' is neither on nor off: it is ${quote(JSON.stringify(given)) ?? 'something else'}`,
			'Give true or false. Nothing was sent.',
		);
	}

	/** Query parameters of what was chosen in a collection. What was left empty is not sent. */
	private queryOf(collection: string, chosen: IDataObject, key: (name: string) => string): Query {
		// A locator is part of the path, and read as an id.
		const filled = this.within(collection).filter(
			(field) => field.type !== 'resourceLocator' && !isNothing(chosen[field.name], field),
		);
		const query = filled.map(({ name, type, default: usual }) => {
			const given = chosen[name];
			const isEither = typeof usual === 'boolean';
			const value = isEither
				? this.switched(`${collection}.${name}`, given)
				: queryValue(given, type, this.zone);
			return [key(name), value] as const;
		});
		const notDates = filled.filter((_, place) => query[place]?.[1] === undefined);
		if (notDates.length === 0) return Object.fromEntries(query) as Query;
		throw this.refusal(
			`${notDates.map(({ displayName }) => `'${displayName}'`).join(' and ')}: this is not a date`,
			'Give an ISO 8601 date such as 2026-11-28T10:30:00Z, or Unix seconds.',
		);
	}

	/** What can be added to a collection. */
	private within(collection: string): INodeProperties[] {
		return (this.fields.find(({ name }) => name === collection)?.options ??
			[]) as INodeProperties[];
	}

	/** "filters.eventId" is the locator inside that collection. */
	private title(path: string): string {
		const [name = '', inner] = path.split('.');
		const fields = inner === undefined ? this.fields : this.within(name);
		return fields.find((field) => field.name === (inner ?? name))?.displayName ?? path;
	}
}

/** Whether a value can be meant, by the type of its field. */
const isText: Partial<Record<INodeProperties['type'], (given: unknown) => boolean>> = {
	string: (given) => typeof given !== 'object',
	options: (given) => typeof given !== 'object',
	multiOptions: (given) => [given].flat().every((one) => typeof one !== 'object'),
};

/** Whether a field gives nothing to ask for. Only a date may be an object. */
function isNothing(value: unknown, { type }: Pick<INodeProperties, 'type'>): boolean {
	return [value].flat().every((one) => {
		if (typeof one === 'object' && one !== null) return type !== 'dateTime';
		return text(one).trim() === '';
	});
}

/** Undefined: not a date. */
function queryValue(given: unknown, type: INodeProperties['type'], zone: string) {
	if (type === 'dateTime') return unixSeconds(given, zone);
	return (Array.isArray(given) ? given.map(text).join(',') : text(given)).trim();
}
