import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readDocument } from '../support/platform/contractDocument';

const { components } = readDocument();
const base = 'https://contract.invalid/openapi';

// Strict: a keyword that nobody knows, or a required property that is none, is an error.
const ajv = new Ajv2020({ strict: true, allErrors: true });
addFormats(ajv);
ajv.addVocabulary(['x-evidence', 'x-section', 'components']);
ajv.addSchema({ $id: base, components: { schemas: components.schemas } });
const check = (name: string) => ajv.compile({ $ref: `${base}#/components/schemas/${name}` });
const valid = (name: string, value: unknown) => check(name)(value);
type Attributes = Record<string, unknown>;
const example = <Example = { attributes: Attributes }>(name: string) => {
	const [first] = components.schemas[name]?.['examples'] as Example[];
	return structuredClone(first) as Example;
};

const examples = Object.entries(components.schemas).flatMap(([name, { examples = [] }]) =>
	(examples as unknown[]).map((value, at) => [name, at, value] as const),
);

test.each(examples)('the schema %s accepts its example %i', (name, _, value) => {
	const validate = check(name);
	validate(value);
	expect(validate.errors ?? []).toEqual([]);
});

/** The example of it, with something else in its attributes. */
function isValidWith(name: string, more: Attributes) {
	const record = example(name);
	return valid(name, { ...record, attributes: { ...record.attributes, ...more } });
}

test.each(['processing', 'ended', 'failed', 'completed'])('%s is a status of a job', (status) =>
	expect(isValidWith('Job', { status })).toBe(true),
);

test('no other status is one', () => expect(isValidWith('Job', { status: 'done' })).toBe(false));

test('a task succeeds with a person and no errors, or fails with errors and no person', () => {
	const person = example('SessionPerson');
	const errors = [{ code: 'already_registered', message: 'Registered already.' }];
	const results = [
		{ status: 'succeeded', errors: [], data: person },
		{ status: 'failed', errors },
		{ status: 'succeeded', errors: [] },
		{ status: 'succeeded', errors, data: person },
		{ status: 'failed', errors, data: person },
		{ status: 'failed', errors: [] },
		{ status: 'failed', errors: [{ code: 'x' }] },
	];
	expect(results.filter((result) => valid('TaskResult', result))).toEqual(results.slice(0, 2));
});

test('the fields of a task stand on the task, never inside attributes', () => {
	const fields = [{ id: 'email', value: 'ada@example.org' }];
	expect(valid('Task', { fields })).toBe(true);
	expect(valid('Task', { attributes: { fields } })).toBe(false);
	expect(valid('Task', { fields, attributes: {} })).toBe(false);
});

test('a record may carry attributes that nobody has told of yet', () =>
	expect(isValidWith('Session', { color: 'red' })).toBe(true));
