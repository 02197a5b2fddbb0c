import { viewRecord, wholeRecord } from '../../../nodes/EventPlatform/core/records/recordView';
import { fieldsOf } from '../../../nodes/EventPlatform/core/records/simplify';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

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

test('a view of some columns keeps nothing else, and null for what is not there', () => {
	const view = { columns: ['first_name', 'last_name'] };
	expect(viewRecord(fields, view)).toEqual({ id: 'p', first_name: 'Ada', last_name: null });
});

test('the personal link comes last, and null where the platform has not sent it', () => {
	const view = { columns: ['first_name'], includesJoinLink: true };
	const seen = viewRecord(fields, view);
	expect(Object.entries(seen).at(-1)).toEqual(['join_link', link]);
	expect(viewRecord(fieldsOf({ id: 'p' }), view)).toHaveProperty('join_link', null);
});

test('dates are written in the time zone, but for an answer that is called like a date', () => {
	expect(viewRecord(fields, { columns: 'all', zone: 'Europe/Paris' })).toMatchObject({
		created_at: '2026-11-21T11:00:00+01:00',
		hired_at: '1795255200',
	});
});

test('columns beside the usual ones are kept where the record has them', () => {
	const session = fieldsOf({ id: 's', type: 'sessions', name: 'A', status: 'live', duration: 9 });
	const view = { columns: 'usual', besides: ['duration', 'started_at'] } as const;
	expect(viewRecord(session, view)).toEqual({
		id: 's',
		type: 'sessions',
		name: 'A',
		status: 'live',
		duration: 9,
	});
});
