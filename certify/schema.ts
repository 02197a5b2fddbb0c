import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { isObject, type Json, type JsonObject } from '../nodes/EventPlatform/core/values/json';
import { nameIn, resolve, schemaOf } from './contract';
import { fieldName, joined, kindOf, wordOf, words, type Words } from './words';

/** A way in which a value differs from its schema. It tells the statements of a record apart. */
export type Kind = 'missing' | 'null' | 'type' | 'word' | 'time' | 'extra';

export interface Difference {
	kind: Kind;
	promised: Words;
	came: Words;
}

/** Unix seconds of any year that the platform may speak of are below this, milliseconds are above. */
const mostSeconds = 1e11;

const ajv = new Ajv2020({
	allErrors: true,
	// An error brings the value and the schema that it is about.
	verbose: true,
	// The contract has marks of its own, and the platform may write texts as it likes.
	strict: false,
	validateFormats: false,
});
ajv.addKeyword({
	keyword: 'isSeconds',
	type: 'number',
	validate: (_: boolean, value: number) => value < mostSeconds,
});

const checks = new Map<string, ValidateFunction>();

/** Every difference, in names and types alone. */
export function differences(schema: string, value: unknown): Difference[] {
	const check = checks.get(schema) ?? ajv.compile(inlined(schemaOf(schema)));
	checks.set(schema, check);
	if (check(value)) return [];
	return ofNearestBranches((check.errors ?? []).filter(isFirstOfItsValue)).flatMap(
		(error) => differenceOf(error, placeOf(error, value as Json)) ?? [],
	);
}

/** Which kinds of difference a record of this schema can have at all. */
export function kindsIn(schema: string): Kind[] {
	const text = JSON.stringify(inlined(schemaOf(schema)));
	const kinds: Kind[] = ['missing', 'type', 'null'];
	if (text.includes('"enum":')) kinds.push('word');
	if (text.includes('"isSeconds":')) kinds.push('time');
	kinds.push('extra');
	return kinds;
}

/** The schema with its references written out, so that the path of an error leads to its branch. */
function inlined(node: Json | undefined): JsonObject {
	return isObject(node) ? (inlinedValue(node) as JsonObject) : {};
}

function inlinedValue(node: Json): Json {
	if (Array.isArray(node)) return node.map(inlinedValue);
	if (!isObject(node)) return node;
	const reference = node['$ref'];
	if (reference === undefined) {
		return Object.fromEntries(
			Object.entries(node).map(([name, inner]) => [name, inlinedValue(inner ?? null)]),
		);
	}
	const target = inlined(resolve(node));
	return nameIn(reference) === 'Timestamp' ? { ...target, isSeconds: true } : target;
}

/**
 * A value that fits no branch of a choice has errors of all of them. Those of the nearest branch are told: a job in which
 * one counter is missing is still a job.
 */
function ofNearestBranches(errors: readonly ErrorObject[]): ErrorObject[] {
	const choices = errors
		.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
		.sort((left, right) => right.schemaPath.length - left.schemaPath.length);
	return choices.reduce<ErrorObject[]>(
		(left, choice) => {
			const branches = new Map<string, ErrorObject[]>();
			for (const error of left) {
				const branch = branchOf(choice, error);
				if (branch !== undefined) branches.set(branch, [...(branches.get(branch) ?? []), error]);
			}
			const [nearest] = [...branches.values()].sort((a, b) => a.length - b.length);
			const isKept = (error: ErrorObject) =>
				branchOf(choice, error) === undefined || nearest?.includes(error);
			return left.filter((error) => error !== choice && isKept(error));
		},
		[...errors],
	);
}

/** The number of the branch that an error comes from, if it comes from this choice. */
function branchOf(choice: ErrorObject, error: ErrorObject): string | undefined {
	const isWithin =
		error.schemaPath.startsWith(`${choice.schemaPath}/`) &&
		`${error.instancePath}/`.startsWith(`${choice.instancePath}/`);
	return isWithin ? error.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0] : undefined;
}

/** A value of another type is no other word either, and a time in milliseconds is no other number. */
function isFirstOfItsValue(
	{ keyword, instancePath, parentSchema }: ErrorObject,
	_: number,
	errors: readonly ErrorObject[],
): boolean {
	const stronger = { enum: 'type', const: 'type', type: 'isSeconds' }[keyword];
	return !errors.some(
		(error) =>
			error.keyword === stronger &&
			error.instancePath === instancePath &&
			error.parentSchema === parentSchema,
	);
}

/** Describes an error of ajv. Gives undefined where ajv checks more than the statements are about. */
function differenceOf(error: ErrorObject, where: Words): Difference | undefined {
	const { keyword, schema, data, params } = error;
	switch (keyword) {
		case 'required': {
			const name = below(where, String(params['missingProperty']));
			return { kind: 'missing', promised: name, came: words`no ${name}` };
		}
		case 'additionalProperties': {
			const came = below(where, String(params['additionalProperty']));
			return { kind: 'extra', promised: words`nothing beside what is promised`, came };
		}
		case 'type': {
			const promised = words`${where}: ${joined([schema as Json].flat().map(typeWords))}`;
			return {
				kind: data === null ? 'null' : 'type',
				promised,
				came: words`${where}: ${kindOf(data)}`,
			};
		}
		case 'enum':
		case 'const':
			return {
				kind: keyword === 'enum' ? 'word' : 'type',
				promised: words`${where}: ${joined([schema as Json].flat().map(wordOf))}`,
				came: words`${where}: ${wordOf(data)}`,
			};
		case 'isSeconds':
			return {
				kind: 'time',
				promised: words`${where} in seconds`,
				came: words`${where} in a smaller unit`,
			};
		case 'minimum':
		case 'maximum':
			return {
				kind: 'type',
				promised: words`${where} within its bounds`,
				came: words`${where} beyond them`,
			};
		case 'minLength':
			return { kind: 'type', promised: words`${where}: not empty`, came: words`${where}: empty` };
		case 'minItems':
		case 'maxItems':
			return {
				kind: 'type',
				promised: words`${where}: another number of them`,
				came: words`${where}: ${(data as Json[]).length}`,
			};
		default:
			return undefined;
	}
}

const record = words`the record`;

/** Where an error is, in names of fields. The place of an entry in a list is nobody's business. */
function placeOf({ instancePath }: ErrorObject, value: Json): Words {
	let where = record;
	let current: Json | undefined = value;
	for (const segment of instancePath.split('/').slice(1)) {
		const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
		const isEntry = Array.isArray(current);
		where = isEntry ? words`${where}[]` : below(where, name);
		current = isEntry
			? (current as Json[])[Number(name)]
			: isObject(current)
				? current[name]
				: undefined;
	}
	return where;
}

function below(where: Words, name: string): Words {
	return where === record ? fieldName(name) : words`${where}.${fieldName(name)}`;
}

function typeWords(type: Json): Words {
	if (type === 'null') return words`null`;
	if (type === 'array') return words`a list`;
	if (type === 'object') return words`an object`;
	if (type === 'string') return words`a text`;
	if (type === 'boolean') return words`true or false`;
	return type === 'integer' ? words`a whole number` : words`a number`;
}
