import { bulkOfTasks } from '../support/sandbox';
import {
	detailOf,
	fieldsOf,
	finishedJob,
	openSandbox,
	type Page,
	type TaskResult,
	type ApiRecord,
	untilOver,
	type Visitor,
} from './visitor';

let visitor: Visitor;
let sessionId: string;
beforeAll(async () => {
	visitor = await openSandbox();
	sessionId = await visitor.sessionId();
});

const post = (tasks: unknown) =>
	visitor.api.post<ApiRecord>(`/v1/sessions/${sessionId}/people/bulk`, bulkOfTasks(tasks));

async function resultsOf(tasks: unknown) {
	const { data } = await post(tasks);
	await untilOver(visitor.api, data.id);
	return (await visitor.api.get<Page<TaskResult>>(`/v1/jobs/${data.id}/tasks`)).data.data;
}

test.each([
	['inside attributes', { attributes: { fields: fieldsOf({ email: 'a@example.org' }) } }],
	['missing', { referrer: 'x' }],
	['an object', { fields: { email: 'a@example.org' } }],
	['a text', { fields: 'email' }],
	['a list of texts', { fields: ['email'] }],
])('fields that are %s are a 400', async (_, task) => {
	const answer = await post([task]);
	expect(answer.status).toBe(400);
	expect(detailOf(answer)).toMatch(/tasks|fields/);
});

test.each([
	['without an id', { value: 'a@example.org' }],
	['without a value', { id: 'email' }],
	['with a number for an id', { id: 1, value: 'a@example.org' }],
	['with a number for a value', { id: 'email', value: 7 }],
	['with null for a value', { id: 'email', value: null }],
])('a field %s is a 400', async (_, field) => {
	expect((await post([{ fields: [field] }])).status).toBe(400);
});

test('only the email is mandatory', async () => {
	const [alone] = await resultsOf([{ fields: fieldsOf({ email: 'alone@example.org' }) }]);
	expect(alone?.status).toBe('succeeded');
	const [without] = await resultsOf([{ fields: fieldsOf({ first_name: 'Ada' }) }]);
	expect(without?.status).toBe('failed');
	expect(without?.errors[0]?.message).toMatch(/email/);
});

test('first name, last name and email are attributes of a person', async () => {
	const names = { email: 'ada@example.org', first_name: 'Ada', last_name: 'Lovelace' };
	const [result] = await resultsOf([{ fields: fieldsOf(names) }]);
	expect(result?.data?.attributes).toMatchObject(names);
});

test('referrer and UTM parameters are taken along', async () => {
	const origin = {
		referrer: 'https://example.org/',
		utm_source: 'newsletter',
		utm_medium: 'mail',
		utm_campaign: 'autumn',
		utm_term: 'term',
		utm_content: 'content',
	};
	const [result] = await resultsOf([{ fields: fieldsOf({ email: 'utm@example.org' }), ...origin }]);
	expect(result?.data?.attributes['registrant_detail']).toMatchObject(origin);
});

test('the attributes are the same as those of a single registration', async () => {
	const { data } = await visitor.api.get<Page>('/v1/people_attributes', {
		params: { 'page[size]': 50 },
	});
	const texts = data.data
		.filter(({ attributes }) => attributes['type'] === 'text')
		.map(({ attributes }) => String(attributes['slug']));
	expect(texts).toEqual(expect.arrayContaining(['first_name', 'last_name']));
	const values = Object.fromEntries(texts.map((slug) => [slug, 'x']));
	const job = await finishedJob(visitor.api, sessionId, [{ ...values, email: 'same@example.org' }]);
	expect(job.attributes['status']).toBe('ended');
});
