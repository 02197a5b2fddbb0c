import { readContract } from '../../sandbox/contract';
import { createPlatform } from '../../sandbox/createPlatform';
import { createHandlers } from '../../sandbox/handlers';
import { Processing } from '../../sandbox/jobs/processing';
import { defaultOptions } from '../../sandbox/options';
import { seededId } from '../../sandbox/seed/ids';
import {
	personOf,
	sandboxForTests,
	seededEvent,
	type TestSandbox,
	upcomingSession,
} from '../support/sandbox';
import { type List, type Parameters, readList } from './asking';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests({ seedEvents: 6, seedPeople: 130 });
});
beforeEach(() => sandbox.reset());

const list = (path: string, params?: Parameters) => readList(sandbox, path, params);
const count = async (path: string, params: Parameters) =>
	(await list(path, params)).meta.record_count;

test('every operation of the API has a handler, and no handler is without an operation', async () => {
	const { platform } = createPlatform({ ...defaultOptions, seedEvents: 0 });
	const handled = Object.keys(createHandlers(new Processing(platform)));
	await platform.close();
	const operations = readContract().filter(({ path }) => path.startsWith('/v1/'));
	expect(handled.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});

describe('a list', () => {
	test('walked to its end gives everybody once, while people go on registering', async () => {
		const path = `/sessions/${upcomingSession}/people`;
		const seen: string[] = [];
		for (let page: number | null = 0; page !== null;) {
			const { data, meta }: List = await list(path, { 'page[number]': page, 'page[size]': 7 });
			seen.push(...data.map(({ id }) => id));
			page = meta.next_page;
			if (page !== null && page < 5) {
				await sandbox.api.post(path, personOf(`late${page}@example.com`));
			}
		}
		expect(new Set(seen).size).toBe(seen.length);
		expect(seen).toHaveLength(104 + 4);
	});

	test('any page is the same whether one walks to it or jumps', async () => {
		const path = `/sessions/${upcomingSession}/people`;
		const page = (number: number) => list(path, { 'page[number]': number, 'page[size]': 10 });
		const jumped = await page(6);
		for (let number = 0; number < 6; number++) await page(number);
		expect((await page(6)).data).toEqual(jumped.data);
		const { data } = await page(2);
		await sandbox.api.delete(`${path}/${data[0]?.id}`);
		expect((await page(6)).data[0]?.id).toBe(jumped.data[1]?.id);
	});
});

describe('the filters', () => {
	test('of events are combined with and', async () => {
		expect(await count('/events', { 'filter[title]': 'oNBoard' })).toBe(1);
		expect(await count('/events', { 'filter[tag]': 'product,research' })).toBe(3);
		expect(await count('/events', { 'filter[tag]': 'product', 'filter[title]': 'tour' })).toBe(1);
		expect(
			await count('/events', { 'filter[tag]': 'product', 'filter[scheduling_status]': 'live' }),
		).toBe(0);
	});

	test('on dates take Unix seconds and ISO 8601', async () => {
		const { data } = await list('/sessions', { 'page[size]': 50 });
		const starts = data.map(({ attributes }) => Number(attributes['estimated_started_at']));
		const middle = starts.toSorted((one, other) => one - other)[4] ?? 0;
		const after = starts.filter((start) => start >= middle).length;
		const iso = new Date(middle * 1000).toISOString();
		expect(await count('/sessions', { 'filter[date_from]': middle })).toBe(after);
		expect(await count('/sessions', { 'filter[date_from]': iso })).toBe(after);
		expect(await count('/sessions', { 'filter[date_to]': middle - 1 })).toBe(starts.length - after);
		expect(await count('/events', { 'filter[created_since]': '2099-01-01' })).toBe(0);
		expect(await count('/events', { 'filter[updated_until]': '2099-01-01 10:00' })).toBe(6);
	});

	test('of the people of a session', async () => {
		const path = `/sessions/${seededId('session', 5)}/people`;
		const all = await count(path, {});
		const attended = await count(path, { 'filter[attended]': 'true' });
		expect(attended).toBeGreaterThan(0);
		expect(await count(path, { 'filter[attended]': 'false' })).toBe(all - attended);
		expect(await count(path, { 'filter[role]': 'team_member' })).toBe(1);
		expect(await count(path, { 'filter[email]': 'INES.gray@example.org' })).toBe(1);
		expect(await count(path, { 'filter[email]': 'ines' })).toBe(0);
	});

	test('of attributes, users and webhooks', async () => {
		expect(await count('/people_attributes', { 'filter[builtin]': 'true' })).toBe(4);
		expect(await count('/people_attributes', { 'filter[type]': 'multiple_select' })).toBe(1);
		expect(await count('/users', { 'filter[role]': 'moderator' })).toBe(1);
		expect(await count('/users', { 'filter[pending_invite]': 'true' })).toBe(0);
		const attributes = { url: 'https://hooks.example/a', event: 'job.ended' };
		await sandbox.api.post('/webhooks', { data: { type: 'webhooks', attributes } });
		expect(await count('/webhooks', { 'filter[event]': 'job.ended' })).toBe(1);
		expect(await count('/webhooks', { 'filter[event]': 'event.created' })).toBe(0);
	});

	test.each([
		['/sessions', { 'filter[status]': 'soon' }],
		['/sessions', { 'filter[date_from]': 'tomorrow' }],
		['/sessions', { 'filter[date_from]': '2026-13-45' }],
		['/events', { include: 'people' }],
		['/events', { 'filter[colour]': 'blue' }],
		['/people_attributes', { sort: 'shoe_size' }],
		[`/sessions/${upcomingSession}/people`, { 'filter[attended]': 'perhaps' }],
		[`/sessions/${upcomingSession}/recordings`, { url_expires_in: 5 }],
	])('%s with %p is a 400', async (path, params) => {
		expect((await sandbox.api.get(path, { params })).status).toBe(400);
	});

	test('attributes are sorted, a minus turns the order round', async () => {
		const slugs = async (sort: string) =>
			(await list('/people_attributes', { sort })).data.map(({ attributes }) => attributes['slug']);
		const up = await slugs('slug');
		expect(up).toEqual(up.toSorted());
		expect(await slugs('-slug')).toEqual(up.toReversed());
		expect((await slugs('-builtin,slug')).slice(0, 2)).toEqual(['avatar', 'email']);
	});
});

describe('included records', () => {
	test('events bring their sessions and tags', async () => {
		const { data, included } = await list('/events', { include: 'sessions,tags' });
		const tour = data.find(({ id }) => id === seededEvent);
		expect(tour?.relationships?.['sessions']).toEqual({
			data: [
				{ type: 'sessions', id: upcomingSession },
				{ type: 'sessions', id: seededId('session', 2) },
			],
		});
		const titles = included
			?.filter(({ type }) => type === 'tags')
			.map((tag) => tag.attributes['title']);
		expect(titles?.toSorted()).toEqual(['customers', 'product', 'research']);
	});

	test('sessions bring their event and people, the first hundred of them', async () => {
		const { data, included } = await list('/sessions', {
			include: 'event,people',
			'page[size]': 1,
		});
		expect(data[0]?.relationships?.['event']).toEqual({
			data: { type: 'events', id: seededEvent },
		});
		expect(included?.filter(({ type }) => type === 'events')).toHaveLength(1);
		expect(included?.filter(({ type }) => type === 'people')).toHaveLength(100);
	});
});
