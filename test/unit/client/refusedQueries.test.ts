import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { RefusedQueries } from '../../../nodes/EventPlatform/core/client/refusedQueries';
import type { Query } from '../../../nodes/EventPlatform/core/client/request';
import { dayMs, minuteMs } from '../../support/time/units';

const include = { include: 'event' };
const filter = { 'filter[date_from]': 1 };

/** A memory, and reads by it from a platform that refuses the query for this cause, and without it for the other. */
function scene(cause?: Cause, causeWithout?: Cause) {
	let nowMs = 1_000;
	const memory = new RefusedQueries({ now: () => nowMs });
	const read = async (path: string, query: Query): Promise<string[]> => {
		const asked: string[] = [];
		const ask = (how: string, failsFor?: Cause) => () => {
			asked.push(how);
			return failsFor
				? Promise.reject(new Failure(failsFor, { method: 'GET', path }))
				: Promise.resolve();
		};
		const reading = memory.readOrLeaveOut(
			{ path, query },
			ask('with', cause),
			ask('without', causeWithout),
		);
		await reading.catch((error: Failure) => asked.push(error.cause));
		return asked;
	};
	return { read, pass: (ms: number) => (nowMs += ms) };
}

test.each<[Cause, Query]>([
	['refused', include],
	['refused', filter],
	['unprocessable', include],
	['unprocessable', filter],
	['nothing_or_filter', include],
])(
	'a query that is refused (%s, %j) is left out for ten minutes, and for a day once it is refused again',
	async (cause, query) => {
		const { read, pass } = scene(cause);
		expect(await read('/sessions', query)).toEqual(['with', 'without']);
		pass(10 * minuteMs - 1);
		expect(await read('/sessions', query)).toEqual(['without']);
		pass(1);
		expect(await read('/sessions', query)).toEqual(['with', 'without']);
		pass(dayMs - 1);
		expect(await read('/sessions', query)).toEqual(['without']);
		pass(1);
		expect(await read('/sessions', query)).toEqual(['with', 'without']);
	},
);

test('the value of a date does not count, nor which record the path names', async () => {
	const { read } = scene('refused');
	await read('/sessions/s1/people', { 'filter[updated_since]': 1 });
	expect(await read('/sessions/s2/people', { 'filter[updated_since]': 2 })).toEqual(['without']);
});

test.each<[string, string, Query]>([
	['another list', '/events', filter],
	['the same list below another record', '/events/e1/sessions', filter],
	['another parameter', '/sessions', { 'filter[status]': 'on_demand' }],
	['another value', '/sessions', { include: 'people' }],
	['one more parameter', '/sessions', { ...filter, 'filter[date_to]': 2 }],
])('%s is asked for', async (_, path, query) => {
	const { read } = scene('refused');
	await read('/sessions', filter);
	await read('/sessions', include);
	expect(await read(path, query)).toEqual(['with', 'without']);
});

test('a query that is accepted again begins anew', async () => {
	let isRefused = true;
	const memory = new RefusedQueries({ now: () => nowMs });
	let nowMs = 0;
	const read = async () =>
		await memory.readOrLeaveOut(
			{ path: '/sessions', query: include },
			() =>
				isRefused
					? Promise.reject(new Failure('refused', { method: 'GET', path: '/sessions' }))
					: Promise.resolve('with'),
			() => Promise.resolve('without'),
		);
	const readLater = async () => {
		nowMs += 10 * minuteMs;
		return await read();
	};
	expect(await readLater()).toBe('without');
	isRefused = false;
	expect(await readLater()).toBe('with');
	isRefused = true;
	expect(await readLater()).toBe('without');
	isRefused = false;
	expect([await read(), await readLater()]).toEqual(['without', 'with']);
});

test('a list that may only be empty with the filter does not prove that the filter is refused', async () => {
	const { read } = scene('nothing_or_filter');
	const asked = ['with', 'without'];
	expect([await read('/sessions', filter), await read('/sessions', filter)]).toEqual([
		asked,
		asked,
	]);
});

test('nothing is remembered where the platform refuses it without the query, too', async () => {
	const { read } = scene('refused', 'refused');
	const asked = ['with', 'without', 'refused'];
	expect([await read('/sessions', filter), await read('/sessions', filter)]).toEqual([
		asked,
		asked,
	]);
});

test.each<Cause>([
	'unauthorized',
	'missing_scope',
	'forbidden',
	'not_found',
	'no_endpoint',
	'page_out_of_range',
	'rate_limited',
	'quota_spent',
	'platform_error',
	'unreachable',
	'not_from_api',
	'not_json',
	'time_over',
])('another failure (%s) says nothing of the query', async (cause) => {
	expect(await scene(cause).read('/sessions', filter)).toEqual(['with', cause]);
});
