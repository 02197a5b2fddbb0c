import {
	askWhoIsThere,
	conclude,
	whoIsThere,
} from '../../../nodes/EventPlatform/core/bulk/presence';
import type { OpenQuestion } from '../../../nodes/EventPlatform/core/bulk/outcomes';
import type { ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';
import type { TaskResult } from '../../../nodes/EventPlatform/core/jobs/taskResult';
import { runState } from '../../support/runState';
import { candidate } from '../../support/simulation';

const emails = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@x.io`);

/** A session with these people, listed fifty to a page. */
function session(present: readonly string[], { tellsPages = true } = {}) {
	const asked: ApiRequest[] = [];
	const ask = (request: ApiRequest) => {
		asked.push(request);
		const wanted = request.query?.['filter[email]'];
		const number = Number(request.query?.['page[number]'] ?? 0);
		const listed = present.filter((email) => wanted === undefined || email === wanted);
		const data = listed.slice(number * 50, (number + 1) * 50).map((email, index): JsonObject => ({
			type: 'people',
			id: `${index}`,
			attributes: { email: email.toUpperCase() },
		}));
		const meta = { page_count: Math.ceil(listed.length / 50), current_page: number, next_page: 1 };
		return Promise.resolve({
			status: 200,
			headers: {},
			body: { data, ...(tellsPages && { meta }) },
		});
	};
	return {
		asked,
		ask,
		whoIsThere: (count: number, budget = 50) => whoIsThere('s', emails(count), ask, budget),
	};
}

describe('who is there', () => {
	test('is asked person by person for up to ten', async () => {
		const { asked, whoIsThere } = session(['p1@x.io', 'other@x.io']);
		const found = await whoIsThere(10);
		expect([...(found ?? [])]).toEqual([
			['p1@x.io', { id: '0', type: 'people', email: 'P1@X.IO' }],
		]);
		expect(asked.map(({ query }) => query)).toEqual(
			emails(10).map((email) => ({ 'filter[email]': email })),
		);
		expect(asked[0]).toMatchObject({ method: 'GET', path: '/sessions/s/people' });
	});

	test('is read from the list for more', async () => {
		const { asked, whoIsThere } = session(emails(120));
		expect((await whoIsThere(11))?.size).toBe(120);
		expect(asked.map(({ query }) => query)).toEqual(
			[0, 1, 2].map((number) => ({ 'page[number]': number, 'page[size]': 50 })),
		);
	});

	test('is asked person by person where the list is longer than that', async () => {
		const { asked, whoIsThere } = session([
			...emails(1_000).map((one) => `x${one}`),
			...emails(11),
		]);
		expect((await whoIsThere(11))?.size).toBe(61);
		expect(asked).toHaveLength(1 + 11);
	});

	test('is asked person by person where the list does not say how long it is', async () => {
		const { asked, whoIsThere } = session(emails(11), { tellsPages: false });
		expect((await whoIsThere(11))?.size).toBe(11);
		expect(asked).toHaveLength(1 + 11);
	});

	test('is nobody without an address', async () => {
		const record: JsonObject = { type: 'people', id: '7', attributes: { email: null } };
		const answer = { status: 200, headers: {}, body: { data: [record] } };
		expect((await whoIsThere('s', emails(1), () => Promise.resolve(answer), 50))?.size).toBe(0);
	});

	test('is not asked where the requests are not enough', async () => {
		const few = session(emails(10));
		expect(await few.whoIsThere(10, 9)).toBeUndefined();
		expect(few.asked).toHaveLength(0);
		expect((await few.whoIsThere(10, 10))?.size).toBe(10);
		const long = session(emails(1_051));
		expect(await long.whoIsThere(20, 20)).toBeUndefined();
		expect(long.asked).toHaveLength(1);
		expect((await long.whoIsThere(20, 21))?.size).toBe(50);
	});
});

describe('what follows from it', () => {
	const good: TaskResult = { succeeded: true, errors: [] };
	const bad: TaskResult = { succeeded: false, errors: [{ code: 'banned', message: 'No' }] };
	const there: TaskResult = {
		succeeded: false,
		errors: [{ code: 'already_registered', message: 'Is there' }],
	};
	const person = { id: 'p' };
	const job = {
		...{ id: 'j', sessionId: 's', people: [0, 1, 2], status: 'failed' },
		...{ processed: 3, succeeded: 0, failed: 3 },
	};
	const question = (oneOf: readonly TaskResult[]): OpenQuestion => ({
		...{ job, people: [0, 1, 2], emails: ['a', 'b', 'c'], oneOf },
	});
	const nothing = [undefined, undefined, undefined];

	test('who is there was registered, who is not has failed', () => {
		const present = new Map([['b', person]]);
		expect(conclude(question([good, bad, bad]), present)).toEqual([bad, { ...good, person }, bad]);
		expect(conclude(question([there, bad, bad]), present)).toEqual([
			bad,
			{ ...there, person },
			bad,
		]);
	});

	test('is nothing where the counts disagree', () => {
		const present = new Map([['b', person]]);
		expect(conclude(question([good, good, bad]), present)).toEqual(nothing);
		expect(conclude(question([bad, bad, bad]), present)).toEqual(nothing);
		expect(conclude(question([good, bad]), present)).toEqual(nothing);
	});

	test('is nothing about those who are there where some were before', () => {
		const present = new Map([
			['a', person],
			['c', person],
		]);
		expect(conclude(question([good, bad, there]), present)).toEqual([undefined, bad, undefined]);
	});
});

test('a session that costs too many requests leaves the others theirs', async () => {
	const many = emails(60).map((email) => candidate('large', email));
	const few = ['ada@x.io', 'bob@x.io'].map((email) => candidate('small', email));
	const { run, asked } = runState([...many, ...few], ({ path, query }) => {
		const email =
			path.includes('small') && query?.['filter[email]'] === 'bob@x.io' ? 'bob@x.io' : '';
		const data = email === '' ? [] : [{ type: 'people', id: 'b', attributes: { email } }];
		const meta = { page_count: 1_000, current_page: 0, next_page: 1 };
		return Promise.resolve({ status: 200, headers: {}, body: { data, meta } });
	});
	const results: TaskResult[] = [
		{ succeeded: true, errors: [] },
		{ succeeded: false, errors: [{ code: 'banned', message: 'No' }] },
	];
	for (const { sessionId, people } of run.plan.chunks) {
		const job = run.outcomes.accepted(sessionId + people.length, sessionId, people);
		run.outcomes.close(
			job,
			people.length > 40
				? many.flatMap((_, at) => results[at % 2] ?? []).slice(0, 50)
				: people.flatMap((_, at) => results[at % 2] ?? []),
		);
	}
	await askWhoIsThere(run);
	const told = run.outcomes.all().map(({ status }) => status);
	expect(new Set(told.slice(0, 60))).toEqual(new Set(['unknown']));
	expect(told.slice(60)).toEqual(['failed', 'registered']);
	// One page of the large session, and each of the two.
	expect(asked).toHaveLength(3);
});
