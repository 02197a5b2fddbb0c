import { isObject, type Json, type JsonObject } from '../nodes/EventPlatform/core/values/json';
import { nameIn, resolve, schemaOf } from './contract';
import { fieldName, joined, kindOf, wordOf, words, type Words } from './words';

/** In what a value differs from its schema. The statements of a record are told apart by it. */
export type Kind = 'missing' | 'null' | 'type' | 'word' | 'time' | 'extra';

export interface Difference {
	kind: Kind;
	promised: Words;
	came: Words;
}

/** Every difference, in names and types alone. It reads as much of JSON Schema as the contract uses for answers. */
export function differences(schema: string, value: unknown): Difference[] {
	return compare({ $ref: `#/components/schemas/${schema}` }, value as Json, words`the record`);
}

/** Which kinds of difference a record of this schema can have at all. */
export function kindsIn(schema: string): Kind[] {
	const text = JSON.stringify(expanded(schemaOf(schema), 3));
	const has = (part: string) => text.includes(part);
	return [
		'missing' as const,
		'type' as const,
		'null' as const,
		...(has('"enum":') ? ['word' as const] : []),
		...(has('"x-time"') ? ['time' as const] : []),
		'extra' as const,
	];
}

/** Unix seconds of any year that the platform may speak of are below this, milliseconds are above. */
const mostSeconds = 1e11;

function compare(schema: Json | undefined, value: Json | undefined, where: Words): Difference[] {
	if (!isObject(schema)) return [];
	if (schema['$ref'] !== undefined) {
		const isTime = nameIn(schema['$ref']) === 'Timestamp';
		if (isTime && typeof value === 'number' && value >= mostSeconds) {
			return [
				{
					kind: 'time',
					promised: words`${where} in seconds`,
					came: words`${where} in a smaller unit`,
				},
			];
		}
		return compare(resolve(schema), value, where);
	}
	const branches = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
	if (branches) {
		const results = branches.map((branch) => compare(branch, value, where));
		if (results.some((result) => result.length === 0)) return [];
		// The branch that is nearest: a job in which one counter is missing is still a job.
		return results.reduce((best, one) => (one.length < best.length ? one : best));
	}
	return [
		...((schema['allOf'] ?? []) as Json[]).flatMap((part) => compare(part, value, where)),
		...compareOne(schema, value, where),
	];
}

function compareOne(schema: JsonObject, value: Json | undefined, where: Words): Difference[] {
	const { type, enum: choices, const: only } = schema;
	const allowed = only === undefined ? (choices as Json[] | undefined) : [only];
	if (type !== undefined && ![type].flat().some((one) => isOfType(one as string, value))) {
		const promised = words`${where}: ${joined([type].flat().map((one) => typeWords(one)))}`;
		const kind = value === null ? 'null' : 'type';
		return [{ kind, promised, came: words`${where}: ${kindOf(value)}` }];
	}
	if (allowed && !allowed.some((one) => one === value)) {
		const promised = words`${where}: ${joined(allowed.map(wordOf))}`;
		return [
			{
				kind: only === undefined ? 'word' : 'type',
				promised,
				came: words`${where}: ${wordOf(value)}`,
			},
		];
	}
	if (typeof value === 'number') return compareNumber(schema, value, where);
	if (typeof value === 'string' && value.length < Number(schema['minLength'] ?? 0)) {
		return [{ kind: 'type', promised: words`${where}: not empty`, came: words`${where}: empty` }];
	}
	if (Array.isArray(value)) return compareList(schema, value, where);
	return isObject(value) ? compareObject(schema, value, where) : [];
}

function compareNumber(schema: JsonObject, value: number, where: Words): Difference[] {
	const { minimum = -Infinity, maximum = Infinity } = schema;
	if (value >= Number(minimum) && value <= Number(maximum)) return [];
	return [
		{
			kind: 'type',
			promised: words`${where} within its bounds`,
			came: words`${where} beyond them`,
		},
	];
}

function compareList(schema: JsonObject, value: Json[], where: Words): Difference[] {
	const { minItems = 0, maxItems = Infinity } = schema;
	if (value.length < Number(minItems) || value.length > Number(maxItems)) {
		const came = words`${where}: ${value.length}`;
		return [{ kind: 'type', promised: words`${where}: another number of them`, came }];
	}
	return value.flatMap((one) => compare(schema['items'], one, words`${where}[]`));
}

function compareObject(schema: JsonObject, value: JsonObject, where: Words): Difference[] {
	const properties = isObject(schema['properties']) ? schema['properties'] : {};
	const required = (schema['required'] ?? []) as string[];
	const place = (name: string) =>
		where === words`the record` ? fieldName(name) : words`${where}.${fieldName(name)}`;
	const missing = required
		.filter((name) => !Object.hasOwn(value, name))
		.map((name): Difference => ({
			kind: 'missing',
			promised: place(name),
			came: words`no ${place(name)}`,
		}));
	const extra =
		schema['additionalProperties'] === false
			? Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
			: [];
	return [
		...missing,
		...extra.map((name): Difference => ({
			kind: 'extra',
			promised: words`nothing beside what is promised`,
			came: place(name),
		})),
		...Object.entries(properties)
			.filter(([name]) => Object.hasOwn(value, name))
			.flatMap(([name, inner]) => compare(inner, value[name], place(name))),
	];
}

function isOfType(type: string, value: Json | undefined): boolean {
	if (type === 'null') return value === null;
	if (type === 'array') return Array.isArray(value);
	if (type === 'object') return isObject(value);
	if (type === 'integer') return Number.isInteger(value);
	return typeof value === type;
}

function typeWords(type: Json): Words {
	if (type === 'null') return words`null`;
	if (type === 'array') return words`a list`;
	if (type === 'object') return words`an object`;
	if (type === 'string') return words`a text`;
	if (type === 'boolean') return words`true or false`;
	return type === 'integer' ? words`a whole number` : words`a number`;
}

/** The schema with its references written out, so far down as statements go. */
function expanded(node: Json | undefined, depth: number): Json {
	if (Array.isArray(node)) return node.map((one) => expanded(one, depth));
	if (!isObject(node)) return node ?? null;
	if (node['$ref'] !== undefined) {
		if (nameIn(node['$ref']) === 'Timestamp') return { 'x-time': true };
		return depth === 0 ? {} : expanded(resolve(node), depth - 1);
	}
	return Object.fromEntries(
		Object.entries(node).map(([name, inner]) => [name, expanded(inner, depth)]),
	);
}
