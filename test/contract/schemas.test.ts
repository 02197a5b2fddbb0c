import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readDocument } from '../support/readDocument';

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

test('every field that section 2.1 gives a job is required', () => {
	for (const field of [
		'status',
		'total_items',
		'total_processed_items',
		'total_fail',
		'total_success',
	]) {
		const job = example('Job');
		delete job.attributes[field];
		expect([field, valid('Job', job)]).toEqual([field, false]);
	}
});

test.each(['processing', 'ended', 'failed', 'completed'])('%s is a status of a job', (status) => {
	const job = example('Job');
	expect(valid('Job', { ...job, attributes: { ...job.attributes, status } })).toBe(true);
});

test('no other status is one', () => {
	const job = example('Job');
	expect(valid('Job', { ...job, attributes: { ...job.attributes, status: 'done' } })).toBe(false);
});

test('a task succeeds with a person and no errors, or fails with errors and no person', () => {
	const person = example('SessionPerson');
	const errors = [{ code: 'already_registered', message: 'Registered already.' }];
	expect(valid('TaskResult', { status: 'succeeded', errors: [], data: person })).toBe(true);
	expect(valid('TaskResult', { status: 'succeeded', errors: [] })).toBe(false);
	expect(valid('TaskResult', { status: 'succeeded', errors, data: person })).toBe(false);
	expect(valid('TaskResult', { status: 'failed', errors })).toBe(true);
	expect(valid('TaskResult', { status: 'failed', errors, data: person })).toBe(false);
	expect(valid('TaskResult', { status: 'failed', errors: [] })).toBe(false);
	expect(valid('TaskResult', { status: 'failed', errors: [{ code: 'x' }] })).toBe(false);
});

test('50 tasks are a bulk registration, 51 are not', () => {
	const bulk = (count: number) => ({
		data: {
			type: 'jobs',
			attributes: {
				tasks: Array.from({ length: count }, () => ({ fields: [{ id: 'email', value: 'a@b.c' }] })),
			},
		},
	});
	expect(valid('BulkRegistration', bulk(50))).toBe(true);
	expect(valid('BulkRegistration', bulk(51))).toBe(false);
});

test('the fields of a task stand on the task, never inside attributes', () => {
	const fields = [{ id: 'email', value: 'ada@example.org' }];
	expect(valid('Task', { fields })).toBe(true);
	expect(valid('Task', { attributes: { fields } })).toBe(false);
	expect(valid('Task', { fields, attributes: {} })).toBe(false);
});

test('a field has a text, or several for a multiple choice', () => {
	expect(valid('FieldValue', { id: 'diet', value: 'vegan' })).toBe(true);
	expect(valid('FieldValue', { id: 'diet', value: ['vegan', 'fish'] })).toBe(true);
	for (const value of [1, true, null, {}, [1]]) {
		expect([value, valid('FieldValue', { id: 'diet', value })]).toEqual([value, false]);
	}
});

test.each([
	['1793527200', true],
	['2026-11-01', true],
	['2026-11-01T10:00:00Z', true],
	['2026-11-01T10:00:00.000+01:00', true],
	['yesterday', false],
	['', false],
	['2026-11', false],
])('%s as a time to filter by: %s', (text, expected) => {
	expect(valid('TimeFilter', text)).toBe(expected);
});

test('a slip in the name of an attribute of a request is found', () => {
	const event = example<{ data: { attributes: Attributes } }>('EventToCreate');
	event.data.attributes['titel'] = 'x';
	expect(valid('EventToCreate', event)).toBe(false);
	const registration = example<{ data: { attributes: Attributes } }>('Registration');
	registration.data.attributes['utmSource'] = 'x';
	expect(valid('Registration', registration)).toBe(false);
});

test('a record may carry attributes that nobody has told of yet', () => {
	const session = example('Session');
	expect(
		valid('Session', { ...session, attributes: { ...session.attributes, color: 'red' } }),
	).toBe(true);
});

test('an error tells all four texts', () => {
	const [error] = example<{ errors: object[] }>('Errors').errors;
	for (const name of ['title', 'detail', 'code', 'status']) {
		expect([name, valid('Errors', { errors: [{ ...error, [name]: undefined }] })]).toEqual([
			name,
			false,
		]);
	}
	expect(valid('Errors', { errors: [] })).toBe(false);
});
