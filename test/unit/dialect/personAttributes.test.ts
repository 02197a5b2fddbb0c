import { personAttributesIn } from '../../../nodes/EventPlatform/core/dialect/personAttributes';

const options = ['1-10', '100+'];
const uuid = '2f6bb5b2-5a4a-4f5e-9d0e-8c1d3c7a9b10';

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
	['its name without either', { name: 'size' }, 'size'],
	['the name that its list gives it rather than a label', { name: 'Size' }, 'member'],
	['the name that its list gives it, where it has none itself', { type: 'text' }, 'member'],
])('an attribute is named by %s', (_, attribute, id) => {
	const [read] = personAttributesIn({ member: attribute, another: { slug: 'another' } });
	expect(read?.id).toBe(id);
});

test.each<[what: string, attribute: object, id: string]>([
	['its name, where the ID is a UUID', { id: uuid, name: 'team_size' }, 'team_size'],
	['its name, where the ID is a number', { id: 7, name: 'team_size' }, 'team_size'],
	['a label alone', { name: 'Team Size' }, 'Team Size'],
	['its UUID rather than by a label', { id: uuid, name: 'Team Size' }, uuid],
	['its slug, however that is written', { slug: 'TeamSize', name: 'Team Size' }, 'TeamSize'],
	['first_name, where a label says so', { id: uuid, name: 'First Name' }, 'first_name'],
	['last_name, where the ID is another', { id: 'attribute-9', name: 'last_name' }, 'last_name'],
	['email, in another spelling', { id: uuid, name: 'E-Mail' }, 'email'],
	['its own slug, although its label is Email', { slug: 'guest', name: 'Email' }, 'guest'],
])('an attribute of a list is named by %s', (_, attribute, id) => {
	expect(personAttributesIn([attribute])).toMatchObject([{ id }]);
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

test.each<[what: string, body: unknown, ids: string[]]>([
	['texts', ['company', ' job_title '], ['company', 'job_title']],
	['texts in data', { data: ['company', 'job_title'] }, ['company', 'job_title']],
	['texts under a name', { people_attributes: ['company'] }, ['company']],
	['ids alone', [{ id: 'company' }, { id: 7 }], ['company', '7']],
	['names alone', { data: [{ attributes: { name: 'Company' } }] }, ['Company']],
	['records without data', [{ id: 'x', attributes: { slug: 'company' } }], ['company']],
	['flat records', [{ id: 'x', slug: 'company' }], ['company']],
	['an id beside a name', [{ id: 'company', attributes: { name: 'Firm' } }], ['company']],
	[
		'a member for each',
		{ company: { name: 'Company' }, size: { slug: 'team_size' } },
		['company', 'team_size'],
	],
	['a member for each in a list', [{ company: { slug: 'team' } }], ['team']],
	['a member for each in data', { data: { company: {}, job_title: {} } }, ['company', 'job_title']],
])('attributes come as %s', (_, body, ids) => {
	expect(personAttributesIn(body).map(({ id }) => id)).toEqual(ids);
});

test.each([
	[null],
	['company'],
	[{}],
	[{ ok: true }],
	[{ message: 'There is no such list' }],
	[{ errors: [{ title: 'x' }] }],
	[{ data: null }],
	[{ data: [null, 3, {}, []] }],
	[{ data: [], meta: { page_count: 0 } }],
])('an answer that is no list of attributes has none: %j', (body) => {
	expect(personAttributesIn(body)).toEqual([]);
});
