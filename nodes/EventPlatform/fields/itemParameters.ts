import { NodeOperationError, type IDataObject, type INodeProperties } from 'n8n-workflow';
import { workflowZone } from '../n8n/workflowZone';
import { isObject } from '../core/values/json';
import { text } from '../core/values/text';
import { problemOfId } from '../core/client/path';
import { usualMaxWaitSeconds } from './sharedFields';
import { readColumns } from './columnExpressions';
import type { NodeParameters } from './nodeParameters';
import { isNothing, readChoice, readSwitch, textsIn, wordsForNothing } from './parameterValues';
import type { Seconds } from '../core/values/units';

/*
 * The fields of operations, and how their parameters are read. Begin here: the parameters of one item.
 *
 *   requestParts.ts     makes the path, the query and the attributes of a request out of them
 *   nodeParameters.ts   asks n8n for the parameters of a node, once where all items have the same
 *   columnExpressions.ts  reads the columns of an item where expressions do nothing else
 *   parameterValues.ts  says whether a value of a person or an expression is nothing, several texts, on or off, or a choice
 *   typedDates.ts       reads dates and time zones; sessionStart.ts: the planned start of a session
 *   fieldBuilders.ts    describes a field in the form that n8n wants; fieldNames.ts: its name and title
 *   mappedValues.ts     reads what the columns of the mapper hold for one item
 *   locators.ts         describes how a record is chosen from a list, by ID or by URL
 *
 * The other files, such as sessionFields.ts, hold fields that several operations share.
 */

const adviceOnExpression = 'Check the expression that gives it.';
export interface AddedField extends INodeProperties {
	/** Such as "filters.email". */
	path: string;
	/** Of a locator the ID. */
	value: unknown;
}

/** Reads the parameters of one item, and refuses what cannot be meant. */
export class ItemParameters {
	constructor(
		private readonly node: NodeParameters,
		private readonly itemIndex: number,
	) {}

	value(
		name: string,
		fallback: unknown,
		options?: { extractValue?: true; skipValidation?: true },
	): unknown {
		return this.node.value(this.itemIndex, name, fallback, options);
	}

	/** Several values, where each stands in the node or in a column. Undefined where n8n has to be asked for them. */
	columns(name: string): IDataObject | undefined {
		return readColumns(this.node.saved(name), this.item);
	}

	get item(): IDataObject {
		return this.node.context.getInputData()[this.itemIndex]?.json ?? {};
	}

	hasExpression(name: string): boolean {
		return this.node.hasExpression(name);
	}

	/** An ID that cannot stand in a path is refused before anything is sent. */
	id(name: string): string {
		const advice = 'Choose one, or give its ID.';
		const id = this.needed(name, undefined, advice);
		const problem = problemOfId(id);
		if (problem) throw this.parameterError(`'${this.node.title(name)}': ${problem}`, advice);
		return id;
	}

	text(name: string): string {
		const saved = this.value(name, '');
		const { value, mode } = isObject(saved) && saved.__rl ? saved : { value: saved, mode: '' };
		// n8n is asked only for the ID in a URL, because it looks through all our fields for it. It would say of an empty URL that the
		// mode is wrong.
		const isUrl = mode === 'url' && text(value).trim() !== '';
		const entered = isUrl ? this.value(name, '', { extractValue: true }) : value;
		if (typeof entered !== 'object' || entered === null) return text(entered).trim();
		throw this.noTextError(name);
	}

	/** Reads a text that must not be empty. `clean` is applied first; `advice` says what to do about an empty text. */
	needed(name: string, clean = (text: string) => text, advice?: string): string {
		const text = clean(this.text(name));
		if (text !== '' && !wordsForNothing.has(text)) return text;
		throw this.emptyError(name, advice);
	}

	date(name: string): unknown {
		const value = this.value(name, '');
		if (!isNothing(value, 'dateTime')) return value;
		throw this.emptyError(name);
	}

	get columnsInExpressions(): ReadonlySet<string> {
		return this.node.columnsInExpressions;
	}

	get columnsOfItems(): ReadonlySet<string> {
		return this.node.columnsOfItems;
	}

	flag(name: string, fallback = false): boolean {
		return this.parseSwitch(name, this.value(name, fallback));
	}

	/** The fallback is for a switch that was not added. */
	option(name: string, fallback = false): boolean {
		return this.flag(`options.${name}`, fallback);
	}

	/** `path`: such as "output" or "options.onTimeout". `initial`: what the menu shows, and what an option means that was not added. */
	choice<Choice extends string>(path: string, choices: readonly Choice[], initial: Choice): Choice {
		const choice = readChoice(this.value(path, initial), choices, initial, this.node.title(path));
		if (typeof choice === 'string') return choice;
		throw this.parameterError(choice.message, 'Check the expression. Nothing was sent.');
	}

	chosen(collection: string): IDataObject {
		return { ...(this.value(collection, {}) as IDataObject) };
	}

	addedFields(collection: string): AddedField[] {
		const values = this.chosen(collection);
		const fields = this.node.fieldsIn(collection).filter(({ name }) => name in values);
		return fields.map((field) => {
			const path = `${collection}.${field.name}`;
			const isLocator = field.type === 'resourceLocator';
			const value: unknown = isLocator ? this.text(path) : values[field.name];
			return { ...field, path, value };
		});
	}

	/** From a list, or from a text such as "email, role" that an expression gives. */
	names(name: string): string[] {
		return textsIn(this.value(name, []), /[\s,]/);
	}

	simplify(): boolean {
		return this.flag('simplify', true);
	}

	limit(): number | undefined {
		if (this.flag('returnAll')) return undefined;
		const limit = Number(this.value('limit', 50));
		if (Number.isInteger(limit) && limit >= 1) return limit;
		const advice = "Turn on 'Return All' for no limit.";
		throw this.parameterError("'Limit' must be a whole number, 1 or higher", advice);
	}

	/** 0 and less is refused, because it would not allow a single request. */
	maxWaitSeconds(): Seconds {
		const seconds = Number(this.chosen('options').maxWaitSeconds ?? usualMaxWaitSeconds);
		if (seconds > 0) return seconds;
		throw this.parameterError("'Max Wait' must be a number of seconds above 0");
	}

	/** The time zone of dates that name none. */
	get zone(): string {
		return workflowZone(this.node.context);
	}

	parameterError(message: string, description?: string): NodeOperationError {
		const { itemIndex, node } = this;
		return new NodeOperationError(node.context.getNode(), message, { itemIndex, description });
	}

	parseSwitch(path: string, value: unknown): boolean {
		const isOn = readSwitch(value, this.node.title(path));
		if (typeof isOn === 'boolean') return isOn;
		throw this.parameterError(isOn.message, 'Give true or false. Nothing was sent.');
	}

	emptyError(path: string, advice = adviceOnExpression): NodeOperationError {
		return this.parameterError(`'${this.node.title(path)}' is empty`, advice);
	}

	noTextError(path: string): NodeOperationError {
		return this.parameterError(`'${this.node.title(path)}' is not a text`, adviceOnExpression);
	}
}
