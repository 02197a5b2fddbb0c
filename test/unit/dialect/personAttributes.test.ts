import type { Json } from '../../../nodes/EventPlatform/core/values/json';
import { personAttributesIn } from '../../../nodes/EventPlatform/core/dialect/personAttributes';

const options = ['1-10', '100+'];

test.each<[what: string, sent: object, items: unknown, multiple: boolean]>([
	['a text has no choices, whatever is sent as such', { type: 'text', options }, undefined, false],
	['without a type there are no choices', { options }, undefined, false],
	['a choice of one', { type: 'unique_select', options }, options, false],
	['a choice of several', { type: 'multiple_select', options }, options, true],
])('%s', (_, sent, items, multiple) => {
	const attributes = { slug: ' size ', name: 'Size', ...sent };
	const attribute = { id: 'size', name: 'Size', items, multiple };
	expect(personAttributesIn([{ id: 'a1', attributes }])).toStrictEqual([attribute]);
});

test('a record without a slug is left out, and the others stay', () => {
	const records: Json[] = [
		{ id: 'a1', attributes: { name: 'Size' } },
		{},
		{ attributes: { slug: ' ' } },
		7,
		{ attributes: { slug: 'job' } },
	];
	expect(personAttributesIn(records)).toMatchObject([{ id: 'job' }]);
});
