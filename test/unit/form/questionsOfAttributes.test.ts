import { questionsOfAttributes } from '../../../nodes/EventPlatform/form/questionsOfAttributes';

const company = { slug: 'company', name: 'Company', type: 'text' };
const size = {
	slug: 'team_size',
	name: 'Team Size',
	type: 'unique_select',
	options: [{ label: 'Few', value: '1-10' }, '100+'],
};

test('attributes are named and typed as the vendor sends them', () => {
	const record = (id: string, attributes: object) => ({
		id,
		type: 'people_attributes',
		attributes,
	});
	const body = { data: [record('a1', company), record('a2', size)], meta: { page_count: 1 } };
	expect(questionsOfAttributes(body)).toEqual([
		{
			id: 'company',
			label: 'Company',
			isRequired: false,
			mayHaveSeveral: false,
			choices: undefined,
		},
		{
			id: 'team_size',
			label: 'Team Size',
			isRequired: false,
			mayHaveSeveral: false,
			choices: [
				{ name: 'Few', value: '1-10' },
				{ name: '100+', value: '100+' },
			],
		},
	]);
});

test.each<[what: string, body: unknown, ids: string[]]>([
	['texts', ['company', ' job_title '], ['company', 'job_title']],
	['texts in data', { data: ['company', 'job_title'] }, ['company', 'job_title']],
	['texts under a name', { people_attributes: ['company'] }, ['company']],
	['ids alone', [{ id: 'company' }, { id: 7 }], ['company', '7']],
	['names alone', { data: [{ attributes: { name: 'Company' } }] }, ['Company']],
	['records without data', [{ id: 'x', attributes: company }], ['company']],
	['flat records', [{ id: 'x', ...company }], ['company']],
	['an id beside a name', [{ id: 'company', attributes: { name: 'Firm' } }], ['company']],
	['a member for each', { company: { name: 'Company' }, size }, ['company', 'team_size']],
	['a member for each in data', { data: { company: {}, job_title: {} } }, ['company', 'job_title']],
	['the same twice', ['company', { id: 'company' }], ['company']],
])('attributes come as %s', (_, body, ids) => {
	expect(questionsOfAttributes(body).map(({ id }) => id)).toEqual(ids);
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
	expect(questionsOfAttributes(body)).toEqual([]);
});
