import '../../support/time/fasterClock';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { sandboxForTests, type TestSandbox } from '../../support/platform/sandbox';
import { cases, operations } from './cases';
import { operate } from '../../support/n8n/operation';
import { fresh, makeRegistration } from '../../support/platform/platformRecords';
import { text } from '../../../nodes/EventPlatform/core/values/text';

/** A schema as n8n reads it, with one type for each property. */
interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

/**
 * The editor shows these schemas of a node's output before the node has run. There is one for each operation with its default settings.
 * `UPDATE_PREVIEWS=1` writes them.
 */
const folder = join(__dirname, '../../../nodes/EventPlatform/__schema__/v1.0.0');

const updatesPreviews = process.env.UPDATE_PREVIEWS === '1';

let sandbox: TestSandbox;

beforeAll(async () => {
	// Limits, so that Get Usage has something to tell.
	sandbox = await sandboxForTests({ rate: 10_000, monthly: 10_000 });
});

test.each(operations)(
	'the preview of $resource $operation has the columns of what it gives, in their order, with their types',
	async (operation) => {
		const records = await run(operation);
		expect(records.length).toBeGreaterThan(0);
		const file = join(folder, operation.resource, `${operation.operation}.json`);
		const saved = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Schema) : undefined;
		if (updatesPreviews) {
			writeFileSync(file, `${JSON.stringify(schemaOf(records, saved), undefined, 2)}\n`);
		}
		const preview = JSON.parse(readFileSync(file, 'utf8')) as Schema;
		const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
		expect(Object.keys(preview.properties ?? {})).toEqual(columns);
		expect(records.flatMap((record) => strayValues(record, preview))).toEqual([]);
	},
);

/**
 * Runs the first item of its row of cases with the default settings. An operation of all items also gets a person who is
 * registered with another name, so that Sync has something to change.
 */
async function run({
	ofAllItems,
	...operation
}: (typeof operations)[number]): Promise<IDataObject[]> {
	const named = ofAllItems ? { resource: 'registration', operation: 'register' } : operation;
	const operationCase = cases.find(
		({ resource, operation }) => resource === named.resource && operation === named.operation,
	);
	const own = ['options', 'simplify', 'limit', 'filters'];
	const parameters = Object.fromEntries(
		Object.entries(operationCase?.parameters ?? {}).filter(([name]) => !own.includes(name)),
	);
	const [item = {}] = (await operationCase?.items(sandbox)) ?? [];
	const name = `${operation.resource}.${operation.operation}`;
	const items = ofAllItems ? [item, await withOtherName(item)] : [item];
	const { records, error } = await operate(sandbox, name, parameters, { items });
	if (error) throw error;
	return records;
}

/** Registers a person for the session of an item, and gives an item for that person. */
async function withOtherName(item: IDataObject): Promise<IDataObject> {
	const email = `${fresh('registered')}@example.com`;
	await makeRegistration(sandbox, text(item.id), email);
	return { ...item, email };
}

/** Describes values of one place. Where all of them are null, the type is the one that was saved, or a text. */
function schemaOf(values: readonly unknown[], saved?: Schema): Schema {
	const known = values.filter((value) => value !== null && value !== undefined);
	const [first] = known;
	if (first === undefined) return saved ?? { type: 'string' };
	if (Array.isArray(first)) return { type: 'array', items: schemaOf(known.flat(), saved?.items) };
	if (typeof first !== 'object') return { type: typeof first };
	const members = known.flatMap((value) => Object.entries(value as Record<string, unknown>));
	const properties: Record<string, Schema> = {};
	for (const [name] of members) {
		const ofName = members.filter(([each]) => each === name).map(([, value]) => value);
		properties[name] ??= schemaOf(ofName, saved?.properties?.[name]);
	}
	return { type: 'object', properties };
}

/** Finds the values, by their places, that a schema does not describe. */
function strayValues(value: unknown, schema: Schema | undefined, place = ''): string[] {
	if (value === null || value === undefined) return [];
	if (Array.isArray(value) && schema?.type === 'array') {
		return value.flatMap((part) => strayValues(part, schema.items, `${place}[]`));
	}
	const type = Array.isArray(value) ? 'array' : typeof value;
	if (schema?.type !== type) return [`${place}: ${type}, not ${schema?.type}`];
	if (type !== 'object') return [];
	return Object.entries(value).flatMap(([name, part]) =>
		strayValues(part, schema.properties?.[name], `${place}.${name}`),
	);
}
