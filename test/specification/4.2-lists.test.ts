import '../support/time/fasterClock';
import { operate } from '../support/n8n/operation';
import { detailOf, type Page } from '../support/platform/requests';
import { guestAddresses, type TestSandbox } from '../support/platform/sandbox';
import { answering, exactPlatform, heldSession, wholePlatform } from './scene';
import { forEach, statement } from './statement';
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
	statement('`page[number]` counts from 0, and is 0 unless given', {
		async platform() {
			const first = await idsOf('');
			expect(await idsOf('page[number]=0')).toEqual(first);
			expect(await idsOf('page[number]=1')).not.toEqual(first);
		},
		async client() {
			const { records, requests } = await operate(sandbox, 'event.getAll', { limit: 1 });
			expect(requests.map(({ query }) => query['page[number]'])).toEqual(['0']);
			expect(records.map(({ id }) => id)).toEqual(await idsOf('page[size]=1'));
		},
	});

	statement(
		'`page[size]` is 20 unless given',
		{
			async platform() {
				expect(await idsOf('')).toHaveLength(20);
				expect(await idsOf('page[size]=21')).toHaveLength(21);
			},
		},
		{ note: 'The connector always gives a size.' },
	);

	statement('`page[size]` is 50 at most', {
		async platform() {
			expect(await idsOf('page[size]=50')).toHaveLength(50);
			expect((await sandbox.api.get('/events?page[size]=51')).status).toBe(400);
			const { data } = await whole.api.get<Page>('/events?page[size]=51');
			expect(data.meta).toMatchObject({ items_per_page: 50 });
		},
		client: forEach([{ returnAll: true }, { limit: 101 }, { limit: 60 }], async (asked) => {
			const { requests } = await operate(sandbox, 'event.getAll', asked);
			for (const { query } of requests) expect(Number(query['page[size]'])).toBe(50);
			expect(requests).toHaveLength('limit' in asked && asked.limit === 60 ? 2 : 3);
		}),
	});

	statement('The body of a list has `data`, a list, and `meta`', {
		async platform() {
			const { data } = await sandbox.api.get<Page>('/events');
			expect(Object.keys(data).sort()).toEqual(['data', 'meta']);
			expect(Object.keys(data.meta).sort()).toEqual(
				[
					'current_page',
					'previous_page',
					'next_page',
					'record_count',
					'page_count',
					'items_per_page',
				].sort(),
			);
		},
		async client() {
			const { records, requests } = await operate(sandbox, 'event.getAll', { returnAll: true });
			expect(new Set(records.map(({ id }) => id)).size).toBe(101);
			expect(requests).toHaveLength(3);
		},
	});

	statement('A page that does not exist is a 400', {
		platform: forEach(['page[number]=6', 'page[size]=50&page[number]=3'], async (query) => {
			const answer = await sandbox.api.get<unknown>(`/events?${query}`);
			expect(answer.status).toBe(400);
			expect(detailOf(answer)).toMatch(/page/);
		}),
		async client() {
			const { requests } = await operate(sandbox, 'event.getAll', { returnAll: true });
			expect(requests.map(({ status }) => status)).toEqual([200, 200, 200]);
		},
	});

	statement('A list that became shorter meanwhile ends with the page that is a 400', {
		client: forEach(['Not found', 'The page does not exist', ''], async (detail) => {
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
		}),
	});

	statement('Every list takes both parameters', {
		platform: forEach(Object.keys(lists), async (path) => {
			const answer = await whole.api.get<Page>(`${path}?page[number]=0&page[size]=1`);
			expect(answer.status).toBe(200);
			expect(answer.data.data.length).toBeLessThanOrEqual(1);
			expect(answer.data.meta).toMatchObject({ current_page: 0, items_per_page: 1 });
		}),
		client: forEach(Object.keys(lists), async (path) => {
			const [operation, parameters] = lists[path] ?? ['', {}];
			const { requests, error } = await operate(whole, operation, { ...parameters, limit: 3 });
			expect(error).toBeUndefined();
			const query = { 'page[number]': '0', 'page[size]': '3' };
			expect(requests).toMatchObject([{ path: `/v1${path}`, query }]);
		}),
	});

	statement('The results of a job come in pages as well', {
		async platform() {
			const path = `/jobs/${jobId}/tasks?page[number]=1&page[size]=2`;
			const { data } = await whole.api.get<Page>(path);
			expect(data.data).toHaveLength(1);
			expect(data.meta).toMatchObject({ current_page: 1, next_page: null, record_count: 3 });
		},
		async client() {
			const asked = { jobId, returnAll: true };
			const { records, requests } = await operate(whole, 'job.getTasks', asked);
			expect(records).toHaveLength(3);
			expect(requests).toMatchObject([{ query: { 'page[number]': '0', 'page[size]': '50' } }]);
		},
	});

	statement('Whether a list of nothing has a page 0 is not specified: it is empty either way', {
		client: forEach(['list', '400'] as const, async (emptyPage) => {
			const empty = await exactPlatform({ seedEvents: 0, emptyPage });
			const { records, error } = await operate(empty, 'event.getAll', { returnAll: true });
			expect([records, error]).toEqual([[], undefined]);
		}),
	});
});
