import { Results } from '../../../nodes/EventPlatform/core/registration/results';
import type { Run } from '../../../nodes/EventPlatform/core/client/run';
import type { Candidate } from '../../../nodes/EventPlatform/core/registration/candidate';
import type { JobState } from '../../../nodes/EventPlatform/core/dialect/jobs';
import type { TaskResult } from '../../../nodes/EventPlatform/core/jobs/taskResult';
import type { ListedPerson } from '../../../nodes/EventPlatform/core/people/findPeople';
import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/runOutcome';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { ApiRequest, ApiResponse } from '../../../nodes/EventPlatform/core/client/request';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { Findings } from '../../../nodes/EventPlatform/core/registration/registrationRun';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import { runAgainst } from './bulkRun';
import { someRows } from '../../support/runs/simulation';

describe('the law of the lost answer', () => {
	const reasons = [{ code: 'already_registered', message: 'because already_registered' }];
	const already: TaskResult = { status: 'already_registered', reasons };
	const failed: TaskResult = { ...already, status: 'failed' };
	const registered: TaskResult = { status: 'registered', person: { id: 'own' }, reasons: [] };

	const accepted: JobState = { id: 'j', status: 'processing', isFinal: false };

	const since = (registeredAt?: number, createdAt?: number): ListedPerson => {
		return { person: { id: 'p' }, isRegistrant: true, registeredAt, createdAt };
	};

	/** The look at the list of people that follows the results. */
	interface Look {
		/** The thing that the list shows, in the words of the title of the test. */
		what: string;
		/** Absent: the person is not on the list. */
		record?: ListedPerson;
		/** How far our clock is ahead of the platform's. Absent: the platform does not tell its time. */
		clockAheadMs?: number;
		result?: TaskResult;
		/** A job whose request left at 1000.5 s by our clock, and whose response got lost, unless it is another. */
		lost?: { sentAt: number };
	}

	/** What became of one person after the results of the job, and after the list. */
	async function outcomesAfter(look: Omit<Look, 'what'>) {
		const {
			record,
			clockAheadMs,
			result = already,
			lost,
		} = { lost: { sentAt: 1_000_500 }, ...look };
		const usage = { clockAheadMs } as Run['client']['usage'];
		const findings = new Findings(new SessionCache(() => Promise.reject(new Error())), usage);
		const results = new Results({ client: { usage } as Run['client'], findings });
		const [row] = someRows(1, 'a');
		if (!row) throw new Error('There is no row');
		const person: Candidate = { row };
		const batch = { sessionId: 'a', people: [person], lost };
		const job = { ...batch, id: 'j', status: 'ended', accepted, acceptedAt: 0 };
		results.record(job, [{ ...result, address: row.address }]);
		const before = person.outcome;
		await results.askLists(() => Promise.resolve(new Map(record && [[row.address, record]])));
		return { before, after: person.outcome };
	}

	describe('somebody of a lost request who is registered already', () => {
		const outcomeAfter = async (look: Look) => (await outcomesAfter(look)).after;
		const codesOf = (outcome?: Pick<TaskResult, 'reasons'>) =>
			outcome?.reasons.map(({ code }) => code);

		test.each<Look>([
			{ what: 'in the second of the request', record: since(1_000), clockAheadMs: 0 },
			{ what: 'after it, as the platform counts', record: since(1_060), clockAheadMs: -60_000 },
			{ what: 'at no time, as a new person', record: since(undefined, 1_001), clockAheadMs: 0 },
			{ what: 'before it, as a new person', record: since(9, 1_001), clockAheadMs: 0 },
		])('was registered by this run where it happened $what', async (look) => {
			const registeredByUs = { status: 'registered', jobId: 'j', person: { id: 'p' }, reasons: [] };
			expect(await outcomeAfter(look)).toMatchObject(registeredByUs);
		});

		test.each<Look>([
			{ what: 'in the second before the request', record: since(999), clockAheadMs: 0 },
			{ what: 'before it, as the platform counts', record: since(1_059), clockAheadMs: -60_000 },
		])('was registered before where it happened $what', async (look) => {
			const outcome = await outcomeAfter(look);
			const before = { status: 'already_registered', jobId: 'j', person: { id: 'p' } };
			expect(outcome).toMatchObject(before);
			expect(codesOf(outcome)).toEqual(['already_registered']);
		});

		test.each<Look>([
			{ what: 'no time, of a person who was known', record: since(undefined, 9), clockAheadMs: 0 },
			{ what: 'a time by an unknown clock', record: since(1_001) },
			{ what: 'no time at all', record: since(), clockAheadMs: 0 },
			{ what: 'nobody', clockAheadMs: 0 },
		])('is in doubt where the list shows $what', async (look) => {
			const outcome = await outcomeAfter(look);
			expect(outcome).toMatchObject({ status: 'already_registered', jobId: 'j' });
			expect(outcome?.person).toBe(look.record?.person);
			expect(codesOf(outcome)).toEqual(['already_registered', 'answer_lost']);
			expect(outcome?.reasons.at(-1)?.message).toMatch(/may have registered/);
		});

		test('has failed where the list shows nobody and the result says that the person was refused', async () => {
			const outcome = await outcomeAfter({ what: '', clockAheadMs: 0, result: failed });
			expect(outcome).toMatchObject({ status: 'failed', jobId: 'j' });
			expect(outcome?.person).toBeUndefined();
			expect(codesOf(outcome)).toEqual(['already_registered']);
		});
	});

	test('before the list was read, somebody of a lost request is in doubt', async () => {
		const { before } = await outcomesAfter({ record: since(1_001), clockAheadMs: 0 });
		expect(before?.reasons.map(({ code }) => code)).toEqual(['already_registered', 'answer_lost']);
	});

	test('somebody whose request was answered at once was registered before, however young the record in the list is', async () => {
		const look = { record: since(9_999, 9_999), clockAheadMs: 0, lost: undefined };
		const outcome = { status: 'already_registered', jobId: 'j', person: undefined, reasons };
		expect((await outcomesAfter(look)).after).toEqual(outcome);
	});

	test.each([registered, failed])('any other result stands as it is: $status', async (result) => {
		const { status, person } = result;
		const look = { record: since(9_999), clockAheadMs: 0, result };
		for (const { after } of [
			await outcomesAfter(look),
			await outcomesAfter({ ...look, lost: undefined }),
		]) {
			expect(after).toEqual({ status, jobId: 'j', person, reasons: result.reasons });
		}
	});
});

describe('batches whose answer got lost', () => {
	const madeUp = '1790000000+7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b@unknown.livestorm.co';
	/** When a run begins, by both clocks. */
	const start = Date.UTC(2026, 0, 1) / 1_000;

	/** A record of the list: somebody who registered so many seconds after the run began. */
	const listed = (email: string, after = -60, attributes: JsonObject = {}): JsonObject => {
		const registrant_detail = { created_at: start + after };
		const created_at = start + after;
		const all = { email, role: 'participant', created_at, registrant_detail, ...attributes };
		return { type: 'people', id: email, attributes: all };
	};

	const ok = (data: JsonObject | JsonObject[], now = start * 1_000): ApiResponse => {
		return { status: 200, headers: { date: new Date(now).toUTCString() }, body: { data } };
	};

	/** A refusal has a status, and shows that the platform is there. */
	const failureOf = (cause: Cause, request: ApiRequest) =>
		new Failure(cause, request, { status: cause === 'forbidden' ? 403 : undefined });

	interface Scene {
		/** The questions of the form. Absent: it cannot be read. */
		form?: string[];
		/** The pages of the list, one for each read. The last one is read again and again. */
		list?: Array<JsonObject[] | Cause>;
		/** The addresses in the records of a batch that is sent at the same time. Absent: nothing else is sent. */
		results?: string[];
		/** How many requests with people get no answer. */
		lost?: number;
		people?: number;
	}

	/** Registers people p0, p1 … of session `a`, whose first request gets no answer. */
	async function run({ form, list = [[]], results, lost = 1, people = 2 }: Scene) {
		let reads = 0;
		let posts = 0;
		const forJob = new Map<string, JsonObject[]>();
		const answer = (request: ApiRequest, now: number): ApiResponse | Error => {
			const { method, path } = request;
			if (method === 'POST') {
				posts += 1;
				if (posts <= lost) return new Failure('unconfirmed', request);
				const { tasks } = (request.body as { data: { attributes: { tasks: JsonObject[] } } }).data
					.attributes;
				const own = tasks.map((task) => (task.fields as JsonObject[])[0]?.value as string);
				const emails = posts === lost + 1 ? (results ?? own) : own;
				forJob.set(
					`j${posts}`,
					emails.map((email) => ({ status: 'succeeded', data: listed(email) })),
				);
				return {
					status: 202,
					headers: {},
					body: { id: `j${posts}`, attributes: { status: 'ended' } },
				};
			}
			const [, collection, id = '', part] = path.split('/');
			if (collection === 'jobs') return ok(forJob.get(id) ?? []);
			if (part === 'people') {
				const page = list[Math.min(reads, list.length - 1)] ?? [];
				reads += 1;
				return typeof page === 'string' ? new Failure(page, request) : ok(page, now);
			}
			if (!form) return failureOf('forbidden', request);
			const fields = form.map((field) => ({ id: field }));
			if (collection === 'events') return ok({ type: 'events', id, attributes: { fields } });
			return ok({ type: 'sessions', id, attributes: { event_id: 'e1' } });
		};
		const { report, sent, asked } = await runAgainst(someRows(people, 'a'), answer);
		const statuses = outcomesOf(report).map(({ status, reasons: [reason] }) =>
			[status, reason?.code].filter(Boolean).join(' '),
		);
		const sizes = asked
			.filter(({ method }) => method === 'POST')
			.map(({ body }) => JSON.stringify(body).split('p0@').length - 1);
		return { statuses, sent: sent.length, reads, asked, sizes };
	}

	const both = (status: string) => [status, status];

	describe('people whose request got no answer are sent again', () => {
		test('where the form asks for an email, and the list is not asked', async () => {
			const { statuses, sent, reads } = await run({ form: ['email'] });
			expect([statuses, sent, reads]).toEqual([both('registered'), 2, 0]);
		});

		test('where results of the run show addresses that were sent', async () => {
			const { sent, reads } = await run({ people: 60, lost: 1 });
			expect([sent, reads]).toEqual([3, 0]);
		});

		test.each([
			['before the run', listed('p1@example.com', -60), 'already_registered'],
			['by the lost request', listed('p1@example.com', 1), 'registered'],
			[
				'of the team by the lost request',
				listed('p1@example.com', 1, { role: 'team_member' }),
				'registered',
			],
		])(
			'where the list shows one of them, who was registered %s, and only the missing one is',
			async (_, person, status) => {
				const { statuses, sent, asked } = await run({ list: [[], [person]] });
				expect([statuses, sent]).toEqual([['registered', status], 2]);
				const again = JSON.stringify(asked.filter(({ method }) => method === 'POST').at(-1)?.body);
				expect(again).toContain('p0@example.com');
				expect(again).not.toContain('p1@example.com');
			},
		);

		test('and nobody is where the list shows them all', async () => {
			const list = [[listed('p0@example.com', 1)], [listed('p1@example.com', 1)]];
			const { statuses, sent } = await run({ list });
			expect([statuses, sent]).toEqual([both('registered'), 1]);
		});

		test('once a platform that was down shows the list', async () => {
			const list: Scene['list'] = ['platform_error', [listed('p0@example.com')]];
			const { statuses, sent } = await run({ list, people: 1 });
			expect([statuses, sent]).toEqual([['already_registered'], 1]);
		});
	});

	describe('people whose request got no answer are unknown, and nobody is sent again', () => {
		test('where the form does not ask for an email, and the list is not asked', async () => {
			const { statuses, sent, reads } = await run({ form: ['first_name'] });
			expect([statuses, sent, reads]).toEqual([both('unknown not_repeated'), 1, 0]);
		});

		test('where results of the run show made-up addresses', async () => {
			const { statuses, sent } = await run({ people: 60, results: Array<string>(10).fill(madeUp) });
			expect(sent).toBe(2);
			expect(statuses.slice(0, 50)).toEqual(Array(50).fill('unknown not_repeated'));
		});

		test.each<[string, JsonObject[] | Cause]>([
			['shows nobody', []],
			['shows other people', [listed('eve@example.com')]],
			['shows a made-up address', [listed(madeUp, 1)]],
			[
				'shows the address of a team member',
				[listed('p0@example.com', -60, { role: 'team_member' })],
			],
			[
				'shows the address of a guest speaker',
				[
					listed('p0@example.com', -60, {
						registrant_detail: { is_guest_speaker: true, created_at: start - 60 },
					}),
				],
			],
			['is refused', 'forbidden'],
			['does not exist', 'no_endpoint'],
			['cannot be read for minutes', 'platform_error'],
		])('where the list %s', async (_, page) => {
			const { statuses, sent } = await run({ list: [page] });
			expect([statuses, sent]).toEqual([both('unknown not_listed'), 1]);
		});
	});

	test('the list is not asked as long as the platform may be working on the job of the lost request', async () => {
		const { asked } = await run({ list: [[]], people: 1 });
		expect(asked.filter(({ path }) => path.endsWith('/people'))).toHaveLength(1);
		const { report } = await runAgainst(someRows(1, 'a'), (request) =>
			request.method === 'POST'
				? new Failure('unconfirmed', request)
				: failureOf('forbidden', request),
		);
		expect(report.seconds).toBeGreaterThanOrEqual(15);
		expect(report.seconds).toBeLessThan(17);
	});

	test('a session whose form shows it says nothing of another', async () => {
		const rows = [...someRows(1, 'a'), ...someRows(1, 'b')];
		const { became } = await runAgainst(rows, (request) => {
			const { method, path } = request;
			if (method === 'POST') return new Failure('unconfirmed', request);
			if (path === '/sessions/a')
				return ok({ type: 'sessions', id: 'a', attributes: { event_id: 'e' } });
			const form = [{ id: 'first_name' }];
			if (path === '/events/e')
				return ok({ type: 'events', id: 'e', attributes: { fields: form } });
			return failureOf('forbidden', request);
		});
		expect([became('a'), became('b')]).toEqual(['unknown not_repeated', 'unknown not_listed']);
	});

	test('the list of a session is asked fifteen seconds after the latest attempt, and not where it has more than 51 pages', async () => {
		const readsOf = async (page_count: number) => {
			const readAt: number[] = [];
			let latestAttemptAt = 0;
			await runAgainst(someRows(100, 'a'), (request, now) => {
				const { method, path, query } = request;
				if (method === 'POST') {
					latestAttemptAt = now;
					return new Failure('unconfirmed', request);
				}
				if (!path.endsWith('/people')) return failureOf('forbidden', request);
				readAt.push(now);
				const number = Number(query?.['page[number]'] ?? 0);
				const meta = { current_page: number, page_count };
				return { ...ok([], now), body: { data: [listed('eve@example.com')], meta } };
			});
			return { reads: readAt.length, afterMs: (readAt[0] ?? 0) - latestAttemptAt };
		};
		expect(await readsOf(51)).toEqual({ reads: 51, afterMs: 15_000 });
		expect(await readsOf(52)).toEqual({ reads: 1, afterMs: 15_000 });
	});

	/** Gives how often each list is read where no request with people of these sessions gets an answer, and no form can be read. */
	async function readsOfSessions(ids: string[], listAnswer: (path: string) => ApiResponse | Cause) {
		const rows = ids.flatMap((id) => someRows(50, id));
		const { asked, report } = await runAgainst(rows, (request) => {
			if (request.method === 'POST') return new Failure('unconfirmed', request);
			const answer = request.path.endsWith('/people') ? listAnswer(request.path) : 'forbidden';
			return typeof answer === 'string' ? failureOf(answer, request) : answer;
		});
		const readsOf = (id: string) =>
			asked.filter(({ path }) => path === `/sessions/${id}/people`).length;
		return { reads: ids.map(readsOf), seconds: report.seconds };
	}

	test('the lists of all sessions together are asked no more often than a list may be', async () => {
		const meta = { current_page: 0, page_count: 40 };
		const page = { ...ok([]), body: { data: [listed('eve@example.com')], meta } };
		const { reads } = await readsOfSessions(['a', 'b', 'c'], () => page);
		// The first page of each list says how long it is, and for the others of two lists too few requests are left.
		expect(reads.sort((a, b) => a - b)).toEqual([1, 1, 40]);
	});

	test('a platform that shows no list is waited for as long as any other that fails', async () => {
		const down = await readsOfSessions(['a', 'b', 'c'], () => 'platform_error');
		// Twelve failures in a row end a run. The requests with people, which left together, were the first.
		expect(down.reads.reduce((sum, reads) => sum + reads)).toBe(11);
		expect(down.seconds).toBeLessThan(240);
	});
});

test.each([
	['first_name', [], ['s'], 'replaced'],
	['email', ['s'], [], 'replaced'],
	['email', [], [], 'kept'],
	['', [], ['s'], 'kept'],
	['', ['s'], ['s'], 'replaced'],
	['', [], [], undefined],
])(
	'a form with %j, made-up addresses in %j and sent ones in %j: emails are %s',
	async (question, replaced, kept, use) => {
		const fields = question === '' ? [] : [{ id: question }];
		const sessions = new SessionCache(({ path }) => {
			const attributes = path.startsWith('/events/') ? { fields } : { event_id: 'e' };
			return Promise.resolve({
				status: 200,
				headers: {},
				body: { data: { id: path.slice(-1), attributes } },
			});
		});
		await sessions.readEvent('s');
		const findings = new Findings(sessions, { responses: 1 });
		for (const id of replaced) findings.recordEmails(id, 'replaced');
		for (const id of kept) findings.recordEmails(id, 'kept');
		expect(findings.emailsAre('s')).toBe(use);
	},
);
