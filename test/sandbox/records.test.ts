import { readContract } from '../../sandbox/contract';
import { createPlatform } from '../../sandbox/createPlatform';
import { createHandlers } from '../../sandbox/handlers';
import { Processing } from '../../sandbox/jobs/processing';
import { defaultOptions } from '../../sandbox/options';
import { sandboxForTests, type TestSandbox, upcomingSession } from '../support/sandbox';
import { type Parameters, readList } from './asking';

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

describe('the filters', () => {
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
});
