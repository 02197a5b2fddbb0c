import type { IExecuteFunctions, IGetNodeParameterOptions, INodeProperties } from 'n8n-workflow';
import { isObject } from '../core/values/json';

/** The parameters of a node. n8n takes 10 µs and more for each parameter of each item, so one without an expression is asked for once. */
export class NodeParameters {
	/** Of parameters without an expression. */
	private readonly sharedValues = new Map<string, unknown>();
	/** Asked for once, because n8n copies them each time. */
	private readonly savedParameters: unknown;
	private columnNames?: ReadonlySet<string>;
	private allColumns?: ReadonlySet<string>;

	constructor(
		readonly context: IExecuteFunctions,
		private readonly fields: readonly INodeProperties[],
	) {
		this.savedParameters = context.getNode().parameters;
	}

	/** A name always comes with the same fallback, so that it is no part of the key. */
	value(
		itemIndex: number,
		name: string,
		fallback: unknown,
		options?: IGetNodeParameterOptions,
	): unknown {
		const key = options ? `${name} ${Object.keys(options).join()}` : name;
		if (this.sharedValues.has(key)) return this.sharedValues.get(key);
		const value: unknown = this.context.getNodeParameter(name, itemIndex, fallback, options);
		if (!this.hasExpression(name)) this.sharedValues.set(key, value);
		return value;
	}

	/** The parameter as it stands in the node, expressions and all. */
	saved(name: string): unknown {
		let saved = this.savedParameters;
		for (const part of name.split('.')) saved = isObject(saved) ? saved[part] : undefined;
		return saved;
	}

	hasExpression(name: string): boolean {
		return hasExpression(this.saved(name));
	}

	get columnsInExpressions(): ReadonlySet<string> {
		this.columnNames ??= new Set(expressionsIn(this.savedParameters).flatMap(columnsReadBy));
		return this.columnNames;
	}

	/** Of all items, because a row without a cell has no column for it, as n8n reads a file. */
	get columnsOfItems(): ReadonlySet<string> {
		this.allColumns ??= new Set(
			this.context.getInputData().flatMap(({ json }) => Object.keys(json)),
		);
		return this.allColumns;
	}

	fieldsIn(collection: string): INodeProperties[] {
		const { options = [] } = this.fields.find(({ name }) => name === collection) ?? {};
		return options as INodeProperties[];
	}

	title(path: string): string {
		const [name, collection] = path.split('.').reverse();
		const fields = collection === undefined ? this.fields : this.fieldsIn(collection);
		return fields.find((field) => field.name === name)?.displayName ?? path;
	}
}

function hasExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	if (typeof saved !== 'object' || saved === null) return false;
	return Object.values(saved).some(hasExpression);
}

function expressionsIn(saved: unknown): string[] {
	if (typeof saved === 'string') return saved.startsWith('=') ? [saved] : [];
	if (typeof saved !== 'object' || saved === null) return [];
	return Object.values(saved).flatMap(expressionsIn);
}

/** Finds the columns that an expression reads as `$json.name`, `$json["the name"]` or `$('Node').item.json.name`. */
function columnsReadBy(expression: string): string[] {
	const columnPattern = /\bjson(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[(["'`])(.*?)\2\])/gu;
	return [...expression.matchAll(columnPattern)].flatMap(
		([, name, , quoted]) => name ?? quoted ?? [],
	);
}
