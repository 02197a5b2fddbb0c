import type { Json } from '../../../nodes/EventPlatform/core/values/json';
import { personAttributesIn } from '../../../nodes/EventPlatform/core/dialect/personAttributes';

const options = ['1-10', '100+'];

test.each<[what: string, sent: object, items: unknown, multiple: boolean]>([
	['a text has no choices, whatever is sent as such', { type: 'text', options }, undefined, false],
	['without a type there are no choices', { options }, undefined, false],
	['a choice of one', { type: 'unique_select', options }, options, false],
	['a choice of several', { type: 'multiple_select', options }, options, true],
])('%s, in a record with attributes and in a flat one', (_, sent, items, multiple) => {
	const members = { slug: ' size ', name: 'Size', ...sent };
	const attribute = { id: 'size', name: 'Size', items, multiple };
	const records = [{ id: 'a1', attributes: members }, members];
	expect(personAttributesIn(records)).toStrictEqual([attribute, attribute]);
});

test('a record without a slug is left out, and the others stay', () => {
	const records: Json[] = [
		{ id: 'a1', attributes: { name: 'Size' } },
		{},
		{ slug: ' ' },
		7,
		{ slug: 'job' },
	];
	expect(personAttributesIn(records)).toMatchObject([{ id: 'job' }]);
});
