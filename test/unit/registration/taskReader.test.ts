import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type { ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { TaskReader } from '../../../nodes/EventPlatform/core/registration/jobRequests';
import { fakePlatform } from '../../support/platform/fakePlatform';

const task = (index: number): JsonObject => ({ status: 'succeeded', data: { id: `p${index}` } });
const tasks = (count: number) => Array.from({ length: count }, (_, index) => task(index));

/** A platform that answers 500 to page parameters as often as `breaks` says. */
function platform({ breaks = 0, count = 30, tellsPages = true } = {}) {
	let left = breaks;
	return fakePlatform(({ query }) => {
		const number = query?.['page[number]'];
		if (number !== undefined && left-- > 0) return 'platform_error';
		const size = Number(query?.['page[size]'] ?? (tellsPages ? 20 : count));
		const page = Number(number ?? 0);
		const pages = Math.ceil(count / size);
		const next_page = page + 1 < pages ? page + 1 : null;
		const meta = { current_page: page, next_page, page_count: pages };
		const data = tasks(count).slice(page * size, (page + 1) * size);
		return { data, ...(tellsPages && { meta }) };
	});
}

const withPages = ({ query }: ApiRequest) => query !== undefined;

test('a platform that knows pages is asked for them, and only a 429 is repeated below', async () => {
	const { ask, asked } = platform({ count: 70 });
	expect(await new TaskReader().read(ask, 'j 1')).toEqual(tasks(70));
	expect(asked.map(({ path, retry }) => [path, retry])).toEqual([
		['/jobs/j%201/tasks', 'onlyWhenRefused'],
		['/jobs/j%201/tasks', 'onlyWhenRefused'],
	]);
	expect(asked.every(withPages)).toBe(true);
});

test('where page parameters break it, it is asked without them, and for the next job at once', async () => {
	const { ask, asked } = platform({ breaks: Infinity, tellsPages: false });
	const reader = new TaskReader();
	expect(await reader.read(ask, 'j1')).toEqual(tasks(30));
	expect(asked.map(withPages)).toEqual([true, false]);
	expect(asked[1]).toEqual({ method: 'GET', path: '/jobs/j1/tasks' });
	await reader.read(ask, 'j2');
	expect(asked.map(withPages)).toEqual([true, false, false]);
});

test('the first of several pages shows that it was another failure', async () => {
	const { ask, asked } = platform({ breaks: 1 });
	const reader = new TaskReader();
	expect(await reader.read(ask, 'j1')).toEqual(tasks(30));
	expect(asked.map(withPages)).toEqual([true, false, true]);
	await reader.read(ask, 'j2');
	expect(asked.map(withPages)).toEqual([true, false, true, true]);
});

test('whoever repeats a read alone is obeyed, with page parameters and without', async () => {
	const retry = 'onlyWhenRefused';
	const paged = platform({ count: 1 });
	const reader = new TaskReader();
	for (const job of ['j1', 'j2']) await reader.read(paged.ask, job, { retry });
	const unpaged = platform({ breaks: Infinity, tellsPages: false });
	await new TaskReader().read(unpaged.ask, 'j3', { retry });
	const retries = [...paged.asked, ...unpaged.asked].map((request) => request.retry);
	expect(retries).toEqual(Array(4).fill(retry));
});

describe('a job that is not over may respond', () => {
	/** Reads the results of a job early from a platform that responds so, and does not bear page parameters. */
	const readEarly = async (cause: Cause, status?: number) => {
		const ask = (request: ApiRequest) =>
			Promise.reject(new Failure(request.query ? 'platform_error' : cause, request, { status }));
		const read = await new TaskReader().readEarly(ask, 'j1').catch((error: unknown) => [error]);
		return read instanceof Failure ? 'not yet' : 'failed';
	};

	test.each([
		[199, 'failed'],
		[200, 'not yet'],
		[299, 'not yet'],
		[300, 'failed'],
	])('with %i and no list: %s', async (status, expected) => {
		expect(await readEarly('unexpected_shape', status)).toBe(expected);
	});

	test.each<Cause>([
		'refused',
		'page_out_of_range',
		'not_found',
		'already_exists',
		'unprocessable',
		'incomplete_list',
	])('as one that has no results: %s', async (cause) => {
		expect(await readEarly(cause, 400)).toBe('not yet');
	});

	test.each<Cause>(['platform_error', 'unauthorized', 'forbidden', 'rate_limited'])(
		'but not with a failure that says nothing of it: %s',
		async (cause) => {
			expect(await readEarly(cause, 400)).toBe('failed');
		},
	);
});
