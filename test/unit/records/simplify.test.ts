import fc from 'fast-check';
import type { Json, JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { fieldsOf, showAll } from '../../../nodes/EventPlatform/core/records/simplify';

const simplify = (record: JsonObject) => showAll(fieldsOf(record));

test('a record becomes its attributes, its relationships ids', () => {
	const sessions = ['s1', 's2'].map((id) => ({ type: 'sessions', id }));
	const event = {
		id: 'e1',
		type: 'events',
		attributes: { title: 'Launch', created_at: 0 },
		relationships: {
			sessions: { data: sessions },
			owner: { data: { type: 'users', id: 'u1' } },
			cover: { data: null },
			people: { links: { related: 'https://platform.example/people' } },
		},
		links: { self: 'https://platform.example/events/e1' },
	};
	expect(simplify(event)).toEqual({
		id: 'e1',
		type: 'events',
		title: 'Launch',
		created_at: 0,
		sessions: ['s1', 's2'],
		owner: 'u1',
		cover: null,
	});
});

test('the answers of a person in a session become columns, those that say it twice left out', () => {
	const registrant_detail: JsonObject = {
		session_id: 's1',
		attended: true,
		connection_link: 'https://platform.example/p/secret',
		password_key: 'secret',
		fields: [
			{ id: 'email', type: 'text', value: 'ada@example.com', required: true },
			{ id: 'interests', type: 'multiple', value: ['a', 'b'] },
			{ id: 'first_name', type: 'text', value: 'Ada' },
			{ id: 'attended', type: 'text', value: 'I did' },
			{ id: 'status', type: 'text', value: 'VIP' },
			{ id: 'changes', type: 'text', value: 'none' },
			{ id: 'event', type: 'text', value: 'The fair' },
			{ id: 'company', type: 'text' },
		],
	};
	const attributes = { email: 'ada@example.com', registrant_detail };
	const fields = fieldsOf({ id: 'p1', type: 'people', attributes });
	const answers = {
		interests: 'a, b',
		attended_answer: 'I did',
		status_answer: 'VIP',
		changes_answer: 'none',
		event_answer: 'The fair',
		company: null,
	};
	expect(showAll(fields)).toEqual({
		id: 'p1',
		type: 'people',
		email: 'ada@example.com',
		session_id: 's1',
		attended: true,
		first_name: 'Ada',
		...answers,
	});
	expect(fields.answers).toEqual(Object.keys(answers));
});

test('what logs a person in is withheld among the attributes, in the registration and as an answer', () => {
	const secret = 'https://platform.example/p/secret';
	const answer = { id: 'connection_link', value: secret };
	const detail = { password_key: secret, fields: [answer, { id: 'city', value: 'Paris' }] };
	const attributes = { password_key: secret, links: { connection_link: secret } };
	const fields = fieldsOf({ attributes: { ...attributes, registrant_detail: detail } });
	expect(JSON.stringify(showAll(fields))).not.toContain(secret);
	expect(fields.answers).toEqual(['city']);
});

const answering = (value: Json): JsonObject => ({ fields: [{ id: 'email', value }] });

test.each<[string, JsonObject, JsonObject]>([
	[
		'names that clash, also with a column of an object, get longer names',
		{
			attributes: {
				id: 'other',
				registrant: { detail: 1 },
				event: { id: 2 },
				meta: { source: 3 },
			},
			relationships: { event_id: { data: { id: 'e1' } } },
			meta: { source: 'webhook' },
		},
		{
			id_attribute: 'other',
			registrant_detail: 1,
			event_id: 2,
			event_id_2: 'e1',
			meta_source: 3,
			meta_source_2: 'webhook',
		},
	],
	[
		'objects become columns four levels down, empty ones stay',
		{ attributes: { a: { b: { c: { d: { e: 1 } } } }, none: {} } },
		{ a_b_c_d: { e: 1 }, none: {} },
	],
])('%s', (_, record, simplified) => {
	expect(simplify({ id: '1', type: 't', ...record })).toEqual({
		id: '1',
		type: 't',
		...simplified,
	});
});

/** The attributes of the person, the registration, and what is shown of both. */
test.each<[string, JsonObject, Json, JsonObject]>([
	[
		'with a date of its own',
		{ created_at: 1 },
		{ created_at: 2 },
		{ created_at: 1, registrant_created_at: 2 },
	],
	[
		'with a time of attendance',
		{},
		{ attendance_duration: 125 },
		{ attendance_duration: 125, attendance_minutes: 2.1 },
	],
	[
		'without a time of attendance',
		{},
		{ attendance_duration: null },
		{ attendance_duration: null, attendance_minutes: null },
	],
	[
		'with another answer',
		{ email: 'a@b.c' },
		answering('d@e.f'),
		{ email: 'a@b.c', email_answer: 'd@e.f' },
	],
	['with an answer for what is empty', { email: null }, answering('d@e.f'), { email: 'd@e.f' }],
	[
		'with the same address in capitals',
		{ email: 'a@b.c' },
		answering(' A@b.c'),
		{ email: 'a@b.c' },
	],
	[
		'with an answer that is an object',
		{ email: 'a@b.c' },
		{ fields: [{ id: 'email', value: { work: 'd@e.f' } }] },
		{ email: 'a@b.c', email_answer: { work: 'd@e.f' } },
	],
	['with an answer of spaces', { email: 'a@b.c' }, answering(' '), { email: 'a@b.c' }],
	[
		'with the same name but for spaces',
		{ last_name: 'Lovelace' },
		{ fields: [{ id: 'last_name', value: 'Lovelace ' }] },
		{ last_name: 'Lovelace' },
	],
	[
		'with the name in other letters, which is another answer',
		{ last_name: 'Lovelace' },
		{ fields: [{ id: 'last_name', value: 'LOVELACE' }] },
		{ last_name: 'Lovelace', last_name_answer: 'LOVELACE' },
	],
	['without an answer', { email: 'a@b.c' }, answering(null), { email: 'a@b.c' }],
	[
		'with two answers to one question',
		{},
		{
			fields: [
				{ id: 'city', value: 'Rome' },
				{ id: 'city', value: 'Paris' },
			],
		},
		{ city: 'Paris' },
	],
])('nothing is lost of a registration %s', (_, person, registrant_detail, simplified) => {
	expect(simplify({ attributes: { ...person, registrant_detail } })).toEqual(simplified);
});

test('keys of the prototype are keys like others', () => {
	const record = JSON.parse(
		'{"id":"1","type":"t","attributes":{"__proto__":[{"admin":true}],"constructor":"c","toString":1}}',
	) as JsonObject;
	const simple = simplify(record);
	expect(Object.getPrototypeOf(simple)).toBe(Object.prototype);
	expect(Object.keys(simple)).toEqual(['id', 'type', '__proto__', 'constructor', 'toString']);
});

/** All texts, numbers and booleans inside, sorted. */
function leaves(value: Json): string[] {
	if (Array.isArray(value)) return value.flatMap(leaves);
	if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
	return [JSON.stringify(value)];
}

test('nothing in the attributes is lost, whatever they are', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (attributes) => {
			const record = { id: '1', type: 't', attributes } as JsonObject;
			expect(leaves(simplify(record)).sort()).toEqual(leaves(record).sort());
		}),
	);
});

test('what a record does not have is not there afterwards either', () => {
	expect(Object.keys(simplify({}))).toEqual([]);
	const links = { related: 'https://platform.example/people' };
	const record = { id: '1', type: 'tags', relationships: { people: { links } } };
	expect(Object.keys(simplify(record))).toEqual(['id', 'type']);
});

test('only the link to a recording says when it ends', () => {
	const attributes = { url_generated_at: 1_800_000_000, url_expires_in: 600 };
	const fieldNames = (type: string) => Object.keys(showAll(fieldsOf({ type, attributes })));
	expect(fieldNames('recordings')).toContain('url_expires_at');
	expect(fieldNames('events')).not.toContain('url_expires_at');
});

test.each<[string, JsonObject, JsonObject]>([
	['at its top', { id: '1', password_key: 'p' }, { id: '1' }],
	['in an object', { a: { b: { connection_link: 'c', d: 1 } } }, { a_b_d: 1 }],
	['with all that is below', { connection_link: { url: 'c' } }, {}],
])('a key is left out of a record %s', (_, record, expected) => {
	const sent = JSON.stringify(record);
	expect(simplify(record)).toEqual(expected);
	// The record as it was sent still has them.
	expect(JSON.stringify(record)).toBe(sent);
});
