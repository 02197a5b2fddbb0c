import { Ledger } from '../../../nodes/EventPlatform/core/bulk/ledger';
import { Meter } from '../../../nodes/EventPlatform/core/bulk/meter';
import { planRun } from '../../../nodes/EventPlatform/core/bulk/plan';
import { askWhoIsThere, conclude, settled } from '../../../nodes/EventPlatform/core/bulk/presence';
import {
	datesOf,
	SessionPeople,
	type Registrant,
} from '../../../nodes/EventPlatform/core/sessions/sessionPeople';
import type { ApiRequest, Json, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';
import type { TaskResult } from '../../../nodes/EventPlatform/core/jobs/task';
import { candidates, modelScene } from '../../support/simulation';

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
		find: (count: number, budget = 50) => new SessionPeople('s', ask).find(emails(count), budget),
	};
}

describe('who is there', () => {
	test('is asked person by person for up to ten', async () => {
		const { asked, find } = session(['p1@x.io', 'other@x.io']);
		const found = await find(10);
		expect([...(found ?? [])]).toEqual([
			['p1@x.io', { person: { id: '0', type: 'people', email: 'P1@X.IO' } }],
		]);
		expect(asked.map(({ query }) => query)).toEqual(
			emails(10).map((email) => ({ 'filter[email]': email })),
		);
		expect(asked[0]).toMatchObject({ method: 'GET', path: '/sessions/s/people' });
	});

	test('is asked person by person where the list does not say how long it is', async () => {
		const others = emails(50).map((one) => `x${one}`);
		const { asked, find } = session([...others, ...emails(11)], { tellsPages: false });
		expect((await find(11))?.size).toBe(50 + 11);
		expect(asked).toHaveLength(1 + 11);
	});

	test.each([
		[50, 50, 50, 1],
		[50, 51, 50, 1],
		[51, 51, undefined, 0],
		[2, 60, 50, 1],
	])('of %i people, among %i, %j are known by one request', async (wanted, all, size, cost) => {
		const { asked, find } = session(emails(all));
		expect([(await find(wanted, 1))?.size, asked.length]).toEqual([size, cost]);
	});

	test('is open where the list is longer than its first page, which does not show everybody', async () => {
		const absent = ['absent@x.io', 'gone@x.io'];
		const among = (count: number) => new SessionPeople('s', session(emails(count)).ask);
		expect(await among(51).find(absent, 1)).toBeUndefined();
		expect((await among(50).find(absent, 1))?.size).toBe(50);
	});

	test.each<[Json, number | undefined]>([
		[1_000, 1_000],
		[0, undefined],
		[-1, undefined],
		['2026-11-28', undefined],
		[null, undefined],
	])('was registered at %j: %j', (date, at) => {
		const fields = new Map([
			['registrant_created_at', date],
			['created_at', date],
		]);
		expect(datesOf(fields)).toEqual({ registeredAt: at, createdAt: at });
	});

	test('is not asked where the requests are not enough', async () => {
		const few = session(emails(10));
		expect(await few.find(10, 0)).toBeUndefined();
		expect(few.asked).toHaveLength(0);
		expect((await few.find(10, 10))?.size).toBe(10);
		const long = session([...emails(1_000).map((one) => `x${one}`), ...emails(51)]);
		expect(await long.find(20, 20)).toBeUndefined();
		expect(long.asked).toHaveLength(1);
		expect((await long.find(20, 21))?.size).toBe(50 + 20);
	});

	test('is read from the list for more', async () => {
		const { asked, find } = session([...emails(60).map((one) => `x${one}`), ...emails(60)]);
		expect((await find(11))?.size).toBe(120);
		expect(asked.map(({ query }) => query)).toEqual(
			[0, 1, 2].map((number) => ({ 'page[number]': number, 'page[size]': 50 })),
		);
	});
});

describe('what follows from it', () => {
	const good: TaskResult = { status: 'registered', errors: [] };
	const bad: TaskResult = { status: 'failed', errors: [{ code: 'banned', message: 'No' }] };
	const there: TaskResult = {
		status: 'already_registered',
		errors: [{ code: 'already_registered', message: 'Is there' }],
	};
	const person = { id: 'p' };
	const record = { person };
	const concluded = (oneOf: readonly TaskResult[], present: Map<string, Registrant>) =>
		conclude(['a', 'b', 'c'], oneOf, present);

	test('who is there was registered, who is not has failed', () => {
		const present = new Map([['b', record]]);
		expect(concluded([good, bad, bad], present)).toEqual([bad, { ...good, person }, bad]);
		expect(concluded([there, bad, bad], present)).toEqual([bad, { ...there, person }, bad]);
	});

	test('is nothing where the counts disagree', () => {
		const present = new Map([['b', record]]);
		expect(concluded([good, good, bad], present)).toEqual([]);
		expect(concluded([bad, bad, bad], present)).toEqual([]);
		expect(concluded([good, bad], present)).toEqual([]);
	});

	test('is nothing about those who are there where some were before', () => {
		const present = new Map([
			['a', record],
			['c', record],
		]);
		expect(concluded([good, bad, there], present)).toEqual([undefined, bad, undefined]);
	});
});

describe('somebody registered already', () => {
	const errors = [{ code: 'already_registered', message: 'Is there.' }];
	const lost = { id: 'j', lostAt: 1_000_500 };
	const kept = { id: 'j' };
	const there: TaskResult = { status: 'already_registered', errors };
	const byWords: TaskResult = { ...there, byWords: true };
	const at = (registeredAt?: number, createdAt?: number) => {
		const person = { id: 'p' };
		return { person, registeredAt, createdAt };
	};

	// The request left at 1000.5 s by our clock, and the platform's clock is ahead by so many milliseconds.
	test.each<
		[
			string,
			{ id: string },
			TaskResult,
			Registrant | undefined,
			number | undefined,
			string,
			boolean?,
		]
	>([
		['in the second of the request', lost, there, at(1_000), 0, 'registered'],
		['in the second before', lost, there, at(999), 0, 'already_registered'],
		['later, as the platform counts', lost, there, at(1_060), 60_000, 'registered'],
		['earlier, as the platform counts', lost, there, at(1_059), 60_000, 'already_registered'],
		['at no time, the person since', lost, there, at(undefined, 1_001), 0, 'registered'],
		['at no time, the person before', lost, there, at(undefined, 9), 0, 'already_registered', true],
		['before, the person since', lost, there, at(9, 1_001), 0, 'registered'],
		[
			'at a time by an unknown clock',
			lost,
			there,
			at(1_001),
			undefined,
			'already_registered',
			true,
		],
		['at no time at all', lost, there, at(), 0, 'already_registered', true],
		['and not on the list', lost, there, undefined, 0, 'already_registered', true],
		['without a lost answer', kept, byWords, at(2_000), 0, 'already_registered'],
		['by words alone, and not on the list', kept, byWords, undefined, 0, 'failed'],
		[
			'who was refused after a lost request',
			lost,
			{ ...there, status: 'failed' },
			undefined,
			0,
			'failed',
		],
		['by words of a lost request, not on the list', lost, byWords, undefined, 0, 'failed'],
	])('%s', (_, job, result, record, lead, status, isOpen = false) => {
		const outcome = settled(job, result, record, lead);
		expect([outcome.status, outcome.jobId]).toEqual([status, 'j']);
		if (isOpen) expect(outcome.errors.at(-1)?.message).toMatch(/may have registered/);
		const codes = status === 'registered' ? [] : ['already_registered'];
		expect(outcome.person).toBe(status === 'failed' ? undefined : record?.person);
		expect(outcome.errors.map(({ code }) => code)).toEqual(
			isOpen ? [...codes, 'answer_lost'] : codes,
		);
	});
});

test('one result that is left for two people is nobody’s, whoever is registered', async () => {
	const people = candidates(4, 's');
	const before = people.slice(0, 2).map(({ sessionId, email = '' }) => ({ sessionId, email }));
	const { parts, clock } = modelScene({ before });
	const plan = planRun(people);
	const outcomes = new Ledger(plan);
	const refused: TaskResult = { status: 'failed', errors: [{ code: 'banned', message: 'No' }] };
	const email = 'p0@example.com';
	const job = outcomes.accepted('j1', 's', [0, 1, 2]);
	outcomes.close(job, [{ status: 'registered', email, errors: [] }, refused]);
	// Words alone say that the fourth is registered, whom the session does not show.
	const byWords: TaskResult = { status: 'already_registered', byWords: true, errors: [] };
	outcomes.close(outcomes.accepted('j2', 's', [3], 1), [byWords]);
	await clock.run(askWhoIsThere({ outcomes, plan, parts, meter: new Meter(parts, 900) }));
	const statuses = outcomes.all().map(({ status }) => status);
	expect(statuses).toEqual(['registered', 'unknown', 'unknown', 'failed']);
});
