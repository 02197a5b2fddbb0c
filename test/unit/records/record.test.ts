import { idOf, readDelivered, withSession } from '../../../nodes/EventPlatform/core/records/record';

const uuid = '9F0C9F0C-0000-4000-8000-00000000000A';

function read(body: unknown) {
	const record = readDelivered(body);
	if (record === undefined) throw new Error('No record');
	return record;
}

describe('a record is read', () => {
	test.each([
		['alone', { id: 'p1', type: 'people', attributes: { a: 1 } }],
		['in data', { data: { id: 'p1', type: 'people', attributes: { a: 1 } } }],
	])('%s', (_, body) => {
		expect(readDelivered(body)).toEqual({
			id: 'p1',
			type: 'people',
			attributes: { a: 1 },
			relationships: {},
		});
	});

	test('with the ID in one spelling', () => {
		expect(read({ id: uuid }).id).toBe(uuid.toLowerCase());
	});

	test('with empty members where it has none, or others than records have', () => {
		const empty = { id: 'p1', type: '', attributes: {}, relationships: {} };
		expect(readDelivered({ id: 'p1' })).toEqual(empty);
		expect(readDelivered({ id: 'p1', type: 1, attributes: [], relationships: 'x' })).toEqual(empty);
	});
});

test.each([
	['is a text', 'p1'],
	['has no ID', { type: 'people' }],
	['has an ID that leads to another path', { id: '../users' }],
	['has an ID with a query', { id: 'p1?x=1' }],
	['has an empty ID', { id: '' }],
	['has an ID that is too long', { id: 'a'.repeat(129) }],
	['has an ID that is an object', { id: { a: 1 } }],
])('there is no record in a body that %s', (_, body) => {
	expect(readDelivered(body)).toBeUndefined();
});

describe('the session of a record', () => {
	test('is the record itself where it is a session', () => {
		const session = read({ id: 's1', type: 'sessions', attributes: { session_id: 's2' } });
		expect(idOf('session', session)).toBe('s1');
		expect(idOf('event', session)).toBeUndefined();
	});

	test.each([
		['in the registration', { attributes: { registrant_detail: { session_id: 's1' } } }],
		['among the attributes', { attributes: { session_id: 's1' } }],
		['as a relationship', { relationships: { session: { data: { id: 's1' } } } }],
	])('is named %s', (_, members) => {
		const record = read({ id: 'p1', ...members });
		expect(idOf('session', record)).toBe('s1');
		expect(idOf('event', record)).toBeUndefined();
	});

	test('of the registration goes before any other', () => {
		const relationships = { session: { data: { id: 's3' } } };
		const registrant_detail = { session_id: 's1' };
		const attributes = { session_id: 's2', registrant_detail };
		expect(idOf('session', read({ id: 'p1', attributes, relationships }))).toBe('s1');
		const withoutIt = read({ id: 'p1', attributes: { session_id: 's2' }, relationships });
		expect(idOf('session', withoutIt)).toBe('s2');
	});

	test.each([{}, { relationships: { session: { data: [] } } }])('is not named by %j', (members) => {
		expect(idOf('session', read({ id: 'p1', ...members }))).toBeUndefined();
	});

	test('is the first place whose ID can stand in a path', () => {
		const person = read({
			id: 'p1',
			type: 'people',
			attributes: { session_id: uuid, registrant_detail: { session_id: '../s' } },
		});
		expect(idOf('session', person)).toBe(uuid.toLowerCase());
	});
});

describe('a record out of the list of a session', () => {
	const session = read({ id: 's1', type: 'sessions', attributes: { event_id: 'e1' } });
	const ofSession = { session_id: 's1', event_id: 'e1' };
	const ofAnother = { session_id: 's2', event_id: 'e2' };

	test.each([
		['people', { email: 'ada@example.com' }, { registrant_detail: ofSession }],
		['people', { registrant_detail: ofAnother }, { registrant_detail: ofAnother }],
		['questions', { question: 'Why?' }, ofSession],
		['questions', ofAnother, ofAnother],
	])(
		'is in that session and its event unless it names others: %s %j',
		(type, attributes, added) => {
			const record = read({ id: 'r1', type, attributes });
			expect(withSession(record, type, session)).toEqual({
				...record,
				attributes: { ...attributes, ...added },
			});
		},
	);

	test('has no event where neither the record nor the session names one', () => {
		const { attributes } = withSession(read({ id: 'p1' }), 'people', read({ id: 's1' }));
		expect(attributes).toEqual({ registrant_detail: { session_id: 's1', event_id: null } });
	});
});
