import { personAttributesIn } from '../../../nodes/EventPlatform/core/dialect/personAttributes';

const options = ['1-10', '100+'];

test.each<[what: string, sent: object, items: unknown, multiple: boolean]>([
	['a text has no choices, whatever is sent as such', { type: 'text', options }, undefined, false],
	['without a type there are no choices', { options }, undefined, false],
	['a choice of one', { type: 'unique_select', options }, options, false],
	['a choice of several', { type: 'multiple_select', options }, options, true],
])('%s', (_, sent, items, multiple) => {
	const attribute = { id: 'a1', attributes: { slug: 'size', name: 'Size', ...sent } };
	expect(personAttributesIn({ data: [attribute] })).toStrictEqual([
		{ id: 'size', name: 'Size', items, multiple },
	]);
});

test.each<[what: string, attribute: object, id: string]>([
	['its slug', { slug: ' size ', id: 'a1', name: 'Size' }, 'size'],
	['its ID without a slug', { slug: ' ', id: 'a1', name: 'Size' }, 'a1'],
	['its name without either', { name: 'Size' }, 'Size'],
	['the name that its list gives it, where it has none itself', { type: 'text' }, 'member'],
])('an attribute is named by %s', (_, attribute, id) => {
	const [read] = personAttributesIn({ member: attribute, another: { slug: 'another' } });
	expect(read?.id).toBe(id);
});

test('a list under a name is read, and not beside another member', () => {
	const names = (body: object) => personAttributesIn(body).map(({ id }) => id);
	expect(names({ people_attributes: ['company'] })).toEqual(['company']);
	expect(names({ people_attributes: ['company'], meta: { page_count: 1 } })).toEqual(['company']);
	expect(names({ people_attributes: ['company'], size: { slug: 'size' } })).toEqual(['size']);
});

test.each(['meta', 'links', 'included', 'errors', 'error', 'jsonapi'])(
	'the member %s of an answer is no attribute',
	(name) => {
		expect(personAttributesIn({ [name]: { name: 'Size' } })).toEqual([]);
	},
);

test('an attribute without any name is left out, and the others stay', () => {
	expect(personAttributesIn([{ type: 'text' }, '', null, 7, 'company'])).toEqual([
		{ id: 'company', multiple: false },
	]);
});
