import { answerOf, joinLinkOf } from '../../../nodes/EventPlatform/core/dialect/person';
import { fieldsOf, showAll } from '../../../nodes/EventPlatform/core/records/simplify';
import type { Json, JsonObject } from '../../../nodes/EventPlatform/core/values/json';

const link = 'https://events.example.com/p/e1/live?email=ada%40example.com&key=k1&s=s1';
const inDetail = (detail: JsonObject) => ({ attributes: { registrant_detail: detail } });

test.each<[where: string, record: JsonObject]>([
	['in the registration', inDetail({ connection_link: link })],
	['with spaces around it', inDetail({ connection_link: ` ${link}\n` })],
])('the join link of a person is found %s', (_, record) => {
	expect(joinLinkOf(record)).toBe(link);
	expect(fieldsOf(record).joinLink).toBe(link);
});

test.each<[what: string, record: JsonObject]>([
	['is not there', inDetail({ session_id: 's1' })],
	['is empty', inDetail({ connection_link: '' })],
	['is null', inDetail({ connection_link: null })],
	['is a script', inDetail({ connection_link: 'javascript:alert(1)' })],
	['would end a tag', inDetail({ connection_link: 'https://x.example/"><script>' })],
	['is no text', inDetail({ connection_link: { href: link } })],
	[
		'is an answer that somebody typed',
		inDetail({ fields: [{ id: 'connection_link', type: 'text', value: link }] }),
	],
	[
		'stands beside the registration',
		{ connection_link: link, attributes: { connection_link: link } },
	],
	['is that of a related person', { owner: { attributes: { connection_link: link } } }],
])('there is no join link where it %s', (_, record) => {
	expect(joinLinkOf(record)).toBeNull();
});

test('an answer to a question named like our column gets another column', () => {
	const fields = [{ id: 'join_link', type: 'text', value: 'mine', required: false }];
	expect(showAll(fieldsOf(inDetail({ fields })))).toEqual({ join_link_answer: 'mine' });
});

describe('the answer of a person to a question', () => {
	const company = { id: 'company', type: 'text', value: 'Acme' };
	const person = (fields: Json) => {
		return { attributes: { company: 'Old', last_name: 'L', registrant_detail: { fields } } };
	};

	test('is the last one of its question', () => {
		const fields = [{ ...company, value: 'First' }, company, { id: 'job', value: 'x' }];
		expect(answerOf(person(fields), 'company')).toEqual({ value: 'Acme', type: 'text' });
	});

	test('is the attribute of that name where the form has not asked', () => {
		expect(answerOf(person([company]), 'last_name')).toEqual({ value: 'L', type: '' });
		expect(answerOf(person([{ ...company, value: null }]), 'company').value).toBe('Old');
	});

	test('is null where there is none', () => {
		expect(answerOf(person([company]), 'phone')).toEqual({ value: null, type: '' });
		expect(answerOf({}, 'company')).toEqual({ value: null, type: '' });
	});
});
