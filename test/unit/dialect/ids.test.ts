import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { relatedIdsIn } from '../../../nodes/EventPlatform/core/dialect/ids';

test.each([
	['in the registration', { attributes: { registrant_detail: { session_id: 's1' } } }],
	['among the attributes', { attributes: { session_id: 's1' } }],
	['as a relationship', { relationships: { session: { data: { id: 's1' } } } }],
])('a record names its session %s', (_, record) => {
	expect(relatedIdsIn(record, 'session').filter((id) => id !== undefined)).toEqual(['s1']);
	expect(relatedIdsIn(record, 'event').every((id) => id === undefined)).toBe(true);
});

test('the session of the registration goes before any other', () => {
	const record = {
		attributes: { session_id: 's2', registrant_detail: { session_id: 's1' } },
		relationships: { session: { data: { id: 's3' } } },
	};
	expect(relatedIdsIn(record, 'session')).toEqual(['s1', 's2', 's3']);
});

test.each<JsonObject>([
	{},
	{ attributes: null, relationships: [] },
	{ relationships: { session: { data: [] } } },
])('a record %j names no session', (record) => {
	expect(relatedIdsIn(record, 'session').every((id) => id === undefined)).toBe(true);
});
