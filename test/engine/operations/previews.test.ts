import '../../support/time/fasterClock';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
 * The editor shows these schemas of a node's output before the node has run. There is one for each operation, with its
 * default settings. `UPDATE_PREVIEWS=1` writes them anew from what the operations give on the sandbox.
 */
const folder = join(__dirname, '../../../nodes/EventPlatform/__schema__/v1.0.0');
const update = process.env.UPDATE_PREVIEWS === '1';

let sandbox: TestSandbox;

beforeAll(async () => {
	// Limits, so that Get Usage has something to tell.
	sandbox = await sandboxForTests({ rate: 10_000, monthly: 10_000 });
});

test.each(operations)('the preview of $resource $operation is what it gives', async (operation) => {
	const records = await run(operation);
	expect(records.length).toBeGreaterThan(0);
	const file = join(folder, operation.resource, `${operation.operation}.json`);
	const saved = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Schema) : undefined;
	const schema = schemaOf(records, saved);
	if (update) {
		if (JSON.stringify(saved) === JSON.stringify(schema)) return;
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
	} else {
		expect(saved).toEqual(schema);
		expect(Object.keys(saved?.properties ?? {})).toEqual(Object.keys(schema.properties ?? {}));
	}
});

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

/** Gives the schema of these values. `saved` tells the type of a part that is empty in all of them, else it is a text. */
function schemaOf(values: readonly unknown[], saved?: Schema): Schema {
	const present = values.filter((value) => value !== null && value !== undefined);
	const [first] = present;
	if (first === undefined) return saved ?? { type: 'string' };
	if (Array.isArray(first)) {
		const within = present.flat();
		if (within.length === 0) return saved ?? { type: 'array' };
		return { type: 'array', items: schemaOf(within, saved?.items) };
	}
	if (typeof first !== 'object') return { type: typeof first };
	const names = [...new Set(present.flatMap((value) => Object.keys(value)))];
	const properties = names.map((name) => [
		name,
		schemaOf(
			present.map((value) => (value as Record<string, unknown>)[name]),
			saved?.properties?.[name],
		),
	]);
	return { type: 'object', properties: Object.fromEntries(properties) as Record<string, Schema> };
}
