import { choiceOf } from '../../../nodes/EventPlatform/core/records/columns';
import {
	recordKinds,
	type RecordKind,
} from '../../../nodes/EventPlatform/core/records/recordKinds';
import { viewRecord, wholeRecord } from '../../../nodes/EventPlatform/core/records/recordView';
import { fieldsOf, showAll } from '../../../nodes/EventPlatform/core/records/simplify';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { readDocument } from '../../support/platform/contractDocument';

const names = Object.keys(recordKinds) as RecordKind[];
const offered = (kind: RecordKind): string[] => Object.values(recordKinds[kind]).flat();

/** The schemas of the contract, by the kind of their records. */
const schemaOf: Record<RecordKind, string> = {
	events: 'Event',
	sessions: 'Session',
	people: 'Person',
	registrants: 'SessionPerson',
	questions: 'Question',
	recordings: 'Recording',
	chat_messages: 'ChatMessage',
	people_attributes: 'PeopleAttribute',
	users: 'User',
	organizations: 'Organization',
	webhooks: 'Webhook',
	tags: 'Tag',
};

test.each(names)('all that the contract knows of %s can be chosen', (kind) => {
	const unknown = Object.keys(shownByContract(kind)).filter(
		(name) => !offered(kind).includes(name),
	);
	// The owner of an event is a record of its own, shown in columns.
	expect(unknown.filter((name) => name !== 'owner')).toEqual([]);
});

/** A record with all attributes that the contract knows of this kind, as all of it is shown. */
function shownByContract(kind: RecordKind): JsonObject {
	const attributes = propertiesOf(`${schemaOf[kind]}Attributes`);
	if (kind === 'registrants') attributes.registrant_detail = propertiesOf('RegistrantDetail');
	return showAll(fieldsOf({ id: '1', type: kind, attributes }));
}

const pick = (record: JsonObject, names: string[] = [], besides?: string[]) =>
	viewRecord(fieldsOf(record), { columns: choiceOf(names), besides });

const session: JsonObject = { id: 's', type: 'sessions', name: null, status: 'live', duration: 9 };

test('the usual fields come first to last, others by name, all when asked for', () => {
	expect(Object.keys(pick(session))).toEqual(['id', 'type', 'name', 'status']);
	expect(pick(session, [], ['duration'])).toHaveProperty('duration', 9);
	expect(pick(session, ['status', 'absent'])).toEqual({ id: 's', status: 'live', absent: null });
	expect(pick(session, ['all'])).toEqual(session);
});

test.each(['attendanceRate', 'Attendance-Rate', 'ATTENDANCE_RATE'])(
	'a field is found by the name %s, and has its own name in the output',
	(name) => {
		const record = { id: 'p', type: 'people', attendance_rate: 80 };
		expect(pick(record, [name])).toEqual({ id: 'p', attendance_rate: 80 });
	},
);

test('a field with exactly the name goes before one with another spelling of it', () => {
	const record = { id: 'p', type: 'people', Company: 'A', company: 'B' };
	expect(pick(record, ['company'])).toEqual({ id: 'p', company: 'B' });
	expect(pick(record, ['COMPANY'])).toEqual({ id: 'p', Company: 'A' });
});

test.each(['All', 'ALL'])('%s stands for all fields as well', (name) => {
	expect(pick(session, [name])).toEqual(session);
});

test("'Usual' stands for the usual fields as well", () => {
	expect(pick(session, ['Usual', 'duration'])).toEqual(pick(session, ['usual', 'duration']));
});

test("'usual' stands for the usual fields, and for what was asked for beside them", () => {
	expect(pick(session, ['usual'], ['duration'])).toEqual(session);
	expect(pick(session, ['duration', 'usual'])).toEqual(session);
	const shown = { id: 's', type: 'sessions', name: null, status: 'live' };
	expect(pick(session, ['usual', 'absent'])).toEqual({ ...shown, absent: null });
});

test('a person of a session or an event shows answers and attendance, one of the workspace does not', () => {
	const person = { id: 'p', type: 'people', email: 'a@b.c', timezone: 'UTC' };
	expect(pick({ ...person, locale: 'en' })).toEqual(person);
	const { id, type, ...attributes } = person;
	const registrant_detail = {
		session_id: 's',
		attended: true,
		attendance_duration: 754,
		ip_city: 'Paris',
		fields: [
			{ id: 'email', value: 'a@b.c' },
			{ id: 'topics', value: ['A', 'B'] },
		],
	};
	const registrant = { id, type, attributes: { ...attributes, registrant_detail } };
	expect(pick(registrant)).toEqual({
		id,
		type,
		email: 'a@b.c',
		session_id: 's',
		attended: true,
		attendance_minutes: 12.6,
		topics: 'A, B',
	});
	const asked = pick(registrant, ['email', 'fields', 'nowhere']);
	expect(asked).toEqual({ id, email: 'a@b.c', topics: 'A, B', nowhere: null });
});

const createdAt = 1_795_255_200;
const link = 'https://live.example.com/k1';
const registrant = (attributes: JsonObject = {}): JsonObject => ({
	id: 'p',
	type: 'people',
	attributes: {
		email: 'ada@example.com',
		first_name: 'Ada',
		created_at: createdAt,
		...attributes,
		registrant_detail: {
			session_id: 's',
			connection_link: link,
			fields: [{ id: 'hired_at', value: '1795255200' }],
		},
	},
});
const fields = fieldsOf(registrant());

test('the whole record has each field, as the platform sends it, and never the personal link', () => {
	const whole = viewRecord(fields, wholeRecord);
	expect(whole).toMatchObject({ created_at: createdAt, hired_at: '1795255200', session_id: 's' });
	expect(JSON.stringify(whole)).not.toContain(link);
});

test('dates are written in the time zone, but for an answer that is called like a date', () => {
	expect(viewRecord(fields, { columns: 'all', zone: 'Europe/Paris' })).toMatchObject({
		created_at: '2026-11-21T11:00:00+01:00',
		hired_at: '1795255200',
	});
});

test('a field that is an object is chosen with all of its columns', () => {
	const { owner_id, owner_email } = { owner_id: 'u', owner_email: 'a@b.c' };
	const owner = { id: 'u', attributes: { email: 'a@b.c' } };
	const picked = pick({ id: 'e', type: 'events', attributes: { owner } }, ['owner']);
	expect(picked).toEqual({ id: 'e', owner_id, owner_email });
});

test('a kind that nobody knows is shown as it is', () => {
	const record = { id: 'x', type: 'surveys', score: 5 };
	expect(pick(record)).toEqual(record);
	expect(pick({ id: 'x', type: 'constructor' })).toEqual({ id: 'x', type: 'constructor' });
});

function propertiesOf(schema: string): JsonObject {
	const schemas = readDocument().components.schemas as Record<string, Schema>;
	const read = ({ allOf = [], properties = {}, $ref }: Schema): JsonObject => {
		const target = $ref && schemas[$ref.split('/').at(-1) ?? ''];
		const inherited = [...allOf, ...(target ? [target] : [])].map(read);
		const own = Object.fromEntries(Object.keys(properties).map((name) => [name, 1]));
		return Object.assign({}, ...inherited, own) as JsonObject;
	};
	const declared = schemas[schema];
	if (!declared) throw new Error(`The contract has no schema ${schema}`);
	return read(declared);
}

interface Schema {
	$ref?: string;
	allOf?: Schema[];
	properties?: Record<string, unknown>;
}

test('a field has its own column alone, whatever other names begin with its name', () => {
	const record = { id: 't', type: 'tags', tag: 'a', tag_colour: 'red', size_width: 1 };
	expect(pick(record, ['tag', 'size'])).toEqual({ id: 't', tag: 'a', size_width: 1 });
});
