import { joinLinkOf } from '../../../nodes/EventPlatform/core/dialect/person';
import { fieldsOf, showAll } from '../../../nodes/EventPlatform/core/records/simplify';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

const link = 'https://events.example.com/p/e1/live?email=ada%40example.com&key=k1&s=s1';
const inDetail = (detail: JsonObject) => ({ attributes: { registrant_detail: detail } });

test.each<[where: string, record: JsonObject]>([
	['in the registration', inDetail({ connection_link: link })],
	['in another spelling', inDetail({ connectionLink: link })],
	['beside the registration', { attributes: { connection_link: link, registrant_detail: null } }],
	['beside the attributes', { connection_link: link }],
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
	['is that of a related person', { owner: { attributes: { connection_link: link } } }],
])('there is no join link where it %s', (_, record) => {
	expect(joinLinkOf(record)).toBeNull();
});

test('the join link is in no column of a record', () => {
	const record = inDetail({ session_id: 's1', connection_link: link, password_key: 'k1' });
	expect(JSON.stringify(showAll(fieldsOf(record)))).not.toMatch(/k1|live/);
});

test('an answer to a question named like our column gets another column', () => {
	const fields = [{ id: 'join_link', type: 'text', value: 'mine', required: false }];
	expect(showAll(fieldsOf(inDetail({ fields })))).toEqual({ join_link_answer: 'mine' });
});
