import { contentOf, fieldsIn, membersOf } from '../../../nodes/EventPlatform/core/dialect/envelope';

const flat = { type: 'people', id: 'p1', email: 'ada@example.com', meta: {} };
const record = { type: 'people', id: 'p1', attributes: { email: 'ada@example.com' } };

test('a record stands in `data` or is the body', () => {
	expect(contentOf({ data: record })).toBe(record);
	for (const body of [record, { data: [record] }, { data: null }])
		expect(contentOf(body)).toBe(body);
});

test.each([undefined, null, 'text', [record]])('%j has no record', (body) => {
	expect(contentOf(body)).toBeUndefined();
});

test('the members of a record stand in its attributes or beside its ID', () => {
	expect(membersOf(record)).toBe(record.attributes);
	expect(membersOf(flat)).toBe(flat);
});

test('what every record has is no field', () => {
	expect(fieldsIn(record)).toBe(record.attributes);
	expect(fieldsIn(flat)).toEqual({ email: 'ada@example.com' });
});
