import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readDocument } from '../support/platform/contractDocument';
import eventPeople from '../support/recordedAnswers/eventPeople.json';
import eventWithSession from '../support/recordedAnswers/eventWithSession.json';
import jobAccepted from '../support/recordedAnswers/jobAccepted.json';
import largeWorkspace from '../support/recordedAnswers/largeWorkspace.json';
import me from '../support/recordedAnswers/me.json';
import publicEventRegistration from '../support/recordedAnswers/publicEventRegistration.json';
import recordings from '../support/recordedAnswers/recordings.json';
import reference2025 from '../support/recordedAnswers/reference2025.json';
import registration from '../support/recordedAnswers/registration.json';
import session from '../support/recordedAnswers/session.json';
import users from '../support/recordedAnswers/users.json';

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

/** What the schema says against these records; nothing where it allows all of them. */
function faultsOf(name: string, records: readonly unknown[]): unknown[] {
	const validate = check(name);
	return records.flatMap((record) => (validate(record) ? [] : [name, validate.errors]));
}

test('each schema accepts its examples', () => {
	const examples = Object.entries(components.schemas).flatMap(([name, { examples = [] }]) =>
		(examples as unknown[]).map((value) => [name, value] as const),
	);
	expect(examples.length).toBeGreaterThan(30);
	expect(examples.flatMap(([name, value]) => faultsOf(name, [value]))).toEqual([]);
});

/** The clients that kept these answers had left the ids out. */
const withId = (record: object) => ({ id: 'an-id', ...record });

test.each<[schema: string, recorded: object[]]>([
	['EventDocument', [eventWithSession]],
	['SessionPersonDocument', [publicEventRegistration, registration]],
	['EventPerson', eventPeople.data.map(withId)],
	['Recording', recordings.data.map(withId)],
	['Session', [withId(session.data), reference2025.session]],
	['User', users.data.map(withId)],
	['Organization', [reference2025.organization]],
	['FieldAnswers', [reference2025.personFields]],
	['MeDocument', Object.values(me)],
	['JobAnswer', [jobAccepted]],
	['FormField', largeWorkspace.fields],
])('the contract allows what was recorded of %s', (schema, recorded) => {
	expect(recorded.length).toBeGreaterThan(0);
	expect(faultsOf(schema, recorded)).toEqual([]);
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
