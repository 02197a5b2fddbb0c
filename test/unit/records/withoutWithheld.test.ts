import { withoutWithheld } from '../../../nodes/EventPlatform/core/records/simplify';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

test.each<[string, JsonObject, JsonObject]>([
	['at its top', { id: '1', password_key: 'p' }, { id: '1' }],
	['deep in it', { a: { b: { connection_link: 'c', d: 1 } } }, { a: { b: { d: 1 } } }],
	['in its lists', { a: [{ password_key: 'p' }, { b: 2 }] }, { a: [{}, { b: 2 }] }],
	['with all that is below', { connection_link: { url: 'c' } }, {}],
	[
		'as the answer to a question',
		{ fields: [{ id: 'connection_link', value: 'c', required: true }] },
		{ fields: [{ id: 'connection_link', required: true }] },
	],
])('a key is left out of a record %s', (_, record, expected) => {
	expect(withoutWithheld(record)).toEqual(expected);
});

test('the answers to other questions stay', () => {
	const record: JsonObject = { fields: [{ id: 'company', value: 'Acme' }, { value: null }] };
	expect(withoutWithheld(record)).toEqual(record);
});

test('the record as it was sent still has the keys', () => {
	const record = { attributes: { password_key: 'p' } };
	withoutWithheld(record);
	expect(record).toEqual({ attributes: { password_key: 'p' } });
});
