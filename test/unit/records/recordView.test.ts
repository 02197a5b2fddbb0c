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

test('dates are written in the time zone, but for an answer that is called like a date', () => {
	expect(viewRecord(fields, { columns: 'all', zone: 'Europe/Paris' })).toMatchObject({
		created_at: '2026-11-21T11:00:00+01:00',
		hired_at: '1795255200',
	});
});
