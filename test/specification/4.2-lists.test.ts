import '../support/time/fasterClock';
import { operate } from '../support/n8n/operation';
import { type Page } from '../support/platform/requests';
import { guestAddresses, type TestSandbox } from '../support/platform/sandbox';
import { answering, exactPlatform, heldSession, wholePlatform } from './scene';
import { byId } from '../support/n8n/locators';
import { seededEvent } from '../support/platform/seededIds';

let sandbox: TestSandbox;
let whole: TestSandbox;
let jobId: string;
beforeAll(async () => {
	[sandbox, whole] = await Promise.all([exactPlatform({ seedEvents: 101 }), wholePlatform()]);
	jobId = await whole.startJob(guestAddresses(3, 'listed'));
	await whole.jobEnd(jobId);
});

const idsOf = async (query: string) =>
	(await sandbox.api.get<Page>(`/events?${query}`)).data.data.map(({ id }) => id);

/** Everything that is a list, with the operation that reads it. */
const lists: Record<string, [operation: string, parameters: object]> = {
	'/events': ['event.getAll', {}],
	[`/events/${seededEvent}/people`]: ['event.getPeople', { eventId: byId(seededEvent) }],
	[`/events/${seededEvent}/sessions`]: ['event.getSessions', { eventId: byId(seededEvent) }],
	'/sessions': ['session.getAll', {}],
	[`/sessions/${heldSession}/people`]: ['session.getPeople', { sessionId: byId(heldSession) }],
	[`/sessions/${heldSession}/questions`]: [
		'session.getQuestions',
		{ sessionId: byId(heldSession) },
	],
	[`/sessions/${heldSession}/recordings`]: [
		'session.getRecordings',
		{ sessionId: byId(heldSession) },
	],
	[`/sessions/${heldSession}/chat_messages`]: [
		'session.getChatMessages',
		{ sessionId: byId(heldSession) },
	],
	'/people': ['person.getAll', {}],
	'/people_attributes': ['personAttribute.getAll', {}],
	'/users': ['user.getAll', {}],
	'/webhooks': ['webhook.getAll', {}],
};

describe('4.2 Lists', () => {
	test('`page[number]` counts from 0, and is 0 unless given', async () => {
		const { records, requests } = await operate(sandbox, 'event.getAll', { limit: 1 });
		expect(requests.map(({ query }) => query['page[number]'])).toEqual(['0']);
		expect(records.map(({ id }) => id)).toEqual(await idsOf('page[size]=1'));
	});

	test.each([{ returnAll: true }, { limit: 101 }, { limit: 60 }])(
		'`page[size]` is 50 at most (%j)',
		async (asked) => {
			const { requests } = await operate(sandbox, 'event.getAll', asked);
			for (const { query } of requests) expect(Number(query['page[size]'])).toBe(50);
			expect(requests).toHaveLength('limit' in asked && asked.limit === 60 ? 2 : 3);
		},
	);

	test('The body of a list has `data`, a list, and `meta`', async () => {
		const { records, requests } = await operate(sandbox, 'event.getAll', { returnAll: true });
		expect(new Set(records.map(({ id }) => id)).size).toBe(101);
		expect(requests).toHaveLength(3);
	});

	test('A page that does not exist is a 400', async () => {
		const { requests } = await operate(sandbox, 'event.getAll', { returnAll: true });
		expect(requests.map(({ status }) => status)).toEqual([200, 200, 200]);
	});

	test.each(['Not found', 'The page does not exist', ''])(
		'A list that became shorter meanwhile ends with the page that is a 400 (%j)',
		async (detail) => {
			let pages = 2;
			const { credential } = await answering(({ query }) => {
				if (query.get('page[number]') !== '0')
					return { status: 400, body: { errors: [{ detail }] } };
				const next_page = pages > 1 ? 1 : null;
				const meta = { current_page: 0, next_page, page_count: pages, record_count: pages };
				pages = 1;
				return { body: { data: [{ id: 'e1', type: 'events', attributes: {} }], meta } };
			});
			const asked = { returnAll: true };
			const { records } = await operate(sandbox, 'event.getAll', asked, { credential });
			expect(records).toMatchObject([{ id: 'e1' }]);
		},
	);

	test.each(Object.keys(lists))('Every list takes both parameters (%j)', async (path) => {
		const [operation, parameters] = lists[path] ?? ['', {}];
		const { requests, error } = await operate(whole, operation, { ...parameters, limit: 3 });
		expect(error).toBeUndefined();
		const query = { 'page[number]': '0', 'page[size]': '3' };
		expect(requests).toMatchObject([{ path: `/v1${path}`, query }]);
	});

	test('The results of a job come in pages as well', async () => {
		const asked = { jobId, returnAll: true };
		const { records, requests } = await operate(whole, 'job.getTasks', asked);
		expect(records).toHaveLength(3);
		expect(requests).toMatchObject([{ query: { 'page[number]': '0', 'page[size]': '50' } }]);
	});

	test.each(['list', '400'] as const)(
		'Whether a list of nothing has a page 0 is not specified: it is empty either way (%j)',
		async (emptyPage) => {
			const empty = await exactPlatform({ seedEvents: 0, emptyPage });
			const { records, error } = await operate(empty, 'event.getAll', { returnAll: true });
			expect([records, error]).toEqual([[], undefined]);
		},
	);
});
