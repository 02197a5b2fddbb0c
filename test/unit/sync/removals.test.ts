import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/runOutcome';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type { ApiRequest, ApiResponse } from '../../../nodes/EventPlatform/core/client/request';
import type { Trouble } from '../../support/platform/platformOptions';
import { rowFor } from '../../support/runs/simulation';
import { attacked, old, old0, uuid, type Attack, type Tamper } from './attackedSync';
import { hourMs } from '../../support/time/units';

/** So many that their removal takes twelve seconds. */
const sixty = Array.from({ length: 60 }, (_, index) => `guest${index}@example.com`);

/** Changes the session in the answers about it from the second one on, or from the first. */
function sessionSays(attributes: JsonObject, { fromFirst = false } = {}): Tamper {
	let reads = 0;
	return (request, answer) => {
		if (request.path !== `/sessions/${uuid}` || ((reads += 1) === 1 && !fromFirst)) return answer;
		return withAttributes(answer, attributes);
	};
}

function withAttributes(answer: ApiResponse, attributes: JsonObject): ApiResponse {
	const body = JSON.parse(JSON.stringify(answer.body)) as { data: { attributes: JsonObject } };
	Object.assign(body.data.attributes, attributes);
	return { ...answer, body };
}

const whyKept = ({ report }: Awaited<ReturnType<typeof attacked>>) =>
	outcomesOf(report).flatMap(({ status, reasons: [reason] }) =>
		status === 'kept' ? [reason?.message ?? ''] : [],
	);

describe('a session that begins while the run adds people', () => {
	test.each([
		['live', 'is live'],
		['past', 'is over'],
		['canceled', 'was canceled'],
		['unheard_of', 'It is not certain'],
	])('with the status %s keeps everybody, with the reason', async (status, why) => {
		const run = await attacked({ tamper: sessionSays({ status }) });
		expect([run.left, run.statuses]).toEqual([old, ['kept']]);
		expect(whyKept(run)).toEqual(old.map(() => expect.stringContaining(why) as string));
	});

	test.each<Cause>(['not_found', 'platform_error', 'unauthorized'])(
		'keeps everybody where reading it again fails: %s',
		async (cause) => {
			let reads = 0;
			const run = await attacked({
				instead(request) {
					if (request.path !== `/sessions/${uuid}` || (reads += 1) === 1) return undefined;
					return Promise.reject(new Failure(cause, request));
				},
			});
			expect([run.left, run.statuses]).toEqual([old, ['kept']]);
			expect(whyKept(run)[0]).toMatch(
				/could not be read again before the person was removed, so it may have begun\. \S/,
			);
			expect(reads).toBe(2);
		},
	);

	test('keeps nobody in another session', async () => {
		const [inOther, other] = ['gone@example.com', { sessionId: 'open', email: 'a@x.org' }];
		const { left, platform } = await attacked({
			rows: [rowFor(uuid, 'new@example.org'), rowFor('open', other.email)],
			more: [other, { sessionId: 'open', email: inOther }],
			tamper: sessionSays({ status: 'live' }),
		});
		expect(left).toEqual(old);
		expect(platform.isRegistered('open', inOther)).toBe(false);
	});
});

describe('a session from which sixty people are to be removed, which takes twelve seconds', () => {
	const removingSixty: Attack = { rows: [rowFor(uuid, 'stays@example.org')], there: sixty };

	test('is read every three seconds, and they are removed', async () => {
		let reads = 0;
		const { left } = await attacked({
			...removingSixty,
			tamper: (request, answer) => {
				if (request.path === `/sessions/${uuid}`) reads += 1;
				return answer;
			},
		});
		expect(left).toEqual([]);
		// One before the plan, one before the first removal, and one each after three seconds or a little more.
		expect(reads).toBeGreaterThanOrEqual(2 + 2);
		expect(reads).toBeLessThanOrEqual(2 + 4);
	});

	test('ends the removals within five seconds when it begins after the tenth', async () => {
		const statuses: Record<string, string> = {};
		let removals = 0;
		const run = await attacked({
			...removingSixty,
			platform: { statuses },
			instead({ method }) {
				if (method === 'DELETE' && (removals += 1) === 10) statuses[uuid] = 'live';
				return undefined;
			},
		});
		// Five removals leave in a second, and eight are under way at once.
		expect(run.left.length).toBeGreaterThanOrEqual(60 - 10 - 5 * 5);
		expect(run.left.length).toBeLessThanOrEqual(50);
		expect(whyKept(run)).toEqual(
			run.left.map(() => expect.stringMatching(/ is live\. Nobody is removed from/) as string),
		);
	});
});

test('a session that begins while the platform has removals wait for a minute keeps everybody who is still there', async () => {
	const statuses: Record<string, string> = {};
	const troubles: Trouble[] = [];
	let removals = 0;
	let stillThere: string[] = [];
	const there = sixty.slice(0, 20);
	const run = await attacked({
		rows: [rowFor(uuid, 'stays@example.org')],
		there,
		options: { maxWaitSeconds: 300 },
		platform: { statuses, retryAfterSeconds: 60, script: () => troubles.pop() },
		instead({ method }, _, { clock, platform }) {
			if (method !== 'DELETE' || (removals += 1) > 1) return undefined;
			troubles.push('429');
			clock.later(30_000, () => {
				statuses[uuid] = 'live';
				stillThere = there.filter((email) => platform.isRegistered(uuid, email));
			});
			return undefined;
		},
	});
	expect(stillThere.length).toBeGreaterThan(10);
	expect(run.left).toEqual(stillThere);
	expect(run.statuses.sort()).toEqual(['kept', 'removed']);
});

test.each([
	['live', [[old0], ['kept']]],
	['upcoming', [[], ['removed']]],
])(
	'a removal that would leave twenty seconds after its session was read waits for another reading: the session is %s by then',
	async (then, [left, became]) => {
		const statuses: Record<string, string> = {};
		let removals = 0;
		const run = await attacked({
			rows: [rowFor(uuid, 'stays@example.org')],
			there: [old0],
			platform: { statuses },
			instead({ method }, ask, { clock }) {
				if (method !== 'DELETE' || (removals += 1) > 1) return undefined;
				// Another workflow has a hundred requests with the same token.
				const other: ApiRequest = { method: 'GET', path: '/sessions/other' };
				Array.from({ length: 100 }, () => void ask(other));
				clock.later(10_000, () => {
					statuses[uuid] = then;
				});
				return undefined;
			},
		});
		expect([run.left, run.statuses]).toEqual([left, became]);
	},
);

/** Before a removal leaves, so many requests of another workflow with the same token come, again after fifteen seconds. */
function floodedBy(requests: number): Attack {
	let floodedAt = 0;
	return {
		rows: [rowFor(uuid, 'stays@example.org')],
		instead({ method }, ask, { clock }) {
			if (method !== 'DELETE' || clock.now() - floodedAt < 15_000) return undefined;
			floodedAt = clock.now();
			const other: ApiRequest = { method: 'GET', path: '/sessions/other' };
			Array.from({ length: requests }, () => void ask(other).catch(() => {}));
			return undefined;
		},
	};
}

test('where other workflows always have twenty seconds of requests in front, people are removed all the same', async () => {
	let reads = 0;
	const { left, statuses } = await attacked({
		...floodedBy(100),
		options: { maxWaitSeconds: 300 },
		tamper({ path }, answer) {
			if (path === `/sessions/${uuid}`) reads += 1;
			return answer;
		},
	});
	expect([left, statuses]).toEqual([[], ['removed']]);
	expect(reads).toBeLessThan(10);
});

test('where other workflows keep removals from leaving until the time of the run is over, nobody reads of a refusal', async () => {
	const { left, report } = await attacked({ ...floodedBy(500), options: { maxWaitSeconds: 60 } });
	expect(left).toEqual(old);
	const reasons = outcomesOf(report).flatMap(({ reasons: all }) => all);
	expect(reasons).toHaveLength(old.length);
	for (const { message } of reasons) expect(message).not.toMatch(/had failed|too many requests/);
});

test.each([
	[75, []],
	[65, [old0]],
])(
	'where a session is planned to begin %i seconds later, and a run may last sixty, these stay: %j',
	async (seconds, stay) => {
		const { left } = await attacked({
			rows: [rowFor(uuid, 'stays@example.org')],
			there: [old0],
			options: { mayRemoveDespiteProblems: true },
			tamper(request, answer, { clock }) {
				if (request.path !== `/sessions/${uuid}`) return answer;
				return withAttributes(answer, { estimated_started_at: clock.now() / 1_000 + seconds });
			},
		});
		expect(left).toEqual(stay);
	},
);

test('a session that is moved before the end of the run while it adds people keeps everybody', async () => {
	let reads = 0;
	const run = await attacked({
		tamper(request, answer, { clock }) {
			if (request.path !== `/sessions/${uuid}` || (reads += 1) === 1) return answer;
			return withAttributes(answer, { estimated_started_at: clock.now() / 1_000 + 30 });
		},
	});
	expect([run.left, run.statuses]).toEqual([old, ['kept']]);
	expect(whyKept(run)[0]).toMatch(/ is planned to begin before this run can be over, /);
});

test('a removal that is forbidden ends those of its session, and no others', async () => {
	let removals = 0;
	const there = sixty.slice(0, 20);
	const { left, platform, report } = await attacked({
		there,
		rows: [rowFor(uuid, 'new@example.org'), rowFor('open', 'a@x.org')],
		more: [{ sessionId: 'open', email: 'gone@example.com' }],
		instead(request) {
			const isOfSession = request.path.startsWith(`/sessions/${uuid}/`);
			if (request.method !== 'DELETE' || !isOfSession) return undefined;
			removals += 1;
			return Promise.reject(new Failure('forbidden', request, { status: 403 }));
		},
	});
	// No more leave before the first of them is answered.
	expect([left.length, removals]).toEqual([20, 4]);
	expect(platform.isRegistered('open', 'gone@example.com')).toBe(false);
	expect(report.stop).toBeUndefined();
	const last = outcomesOf(report).find(({ person }) => person?.email === there[19]);
	expect(last).toMatchObject({ status: 'failed', reasons: [{ code: 'forbidden' }] });
	expect(last?.reasons[0]?.message).toMatch(/^Not sent\. /);
});

test('a session that takes nobody and another that lets nobody go, both forbidden without a reason, end the removals of all', async () => {
	const { report, platform } = await attacked({
		there: [...sixty.slice(0, 20), 'stays@example.org'],
		rows: [
			rowFor('open', 'new@example.org'),
			rowFor(uuid, 'stays@example.org'),
			rowFor('third', 'stays@example.org'),
		],
		more: [
			{ sessionId: 'third', email: 'stays@example.org' },
			{ sessionId: 'third', email: 'gone@example.com' },
		],
		instead(request) {
			const isOfThird = request.path.startsWith('/sessions/third');
			if (request.method === 'GET' || isOfThird) return undefined;
			return Promise.reject(new Failure('forbidden', request, { status: 403 }));
		},
	});
	expect(report.stop).toMatchObject({ code: 'forbidden' });
	expect(platform.isRegistered('third', 'gone@example.com')).toBe(true);
});

test.each([
	['team_member', 'removed'],
	['participant', 'failed'],
])(
	'where a %s has the address of somebody whom the platform did not find to remove, that one is %s',
	async (role, status) => {
		const { statuses } = await attacked({
			rows: [rowFor(uuid, 'stays@example.org')],
			there: [old0],
			instead(request) {
				if (request.method === 'DELETE')
					return Promise.reject(new Failure('not_found', request, { status: 404 }));
				if (request.query?.['filter[email]'] === undefined) return undefined;
				const twin = { id: 'twin', type: 'people', attributes: { email: old0, role } };
				return Promise.resolve({ status: 200, headers: {}, body: { data: [twin] } });
			},
		});
		expect(statuses).toEqual([status]);
	},
);

test('somebody whom the platform did not find to remove is removed where the list has no page of them', async () => {
	const { statuses } = await attacked({
		rows: [rowFor(uuid, 'stays@example.org')],
		there: [old0],
		instead(request) {
			if (request.method === 'DELETE')
				return Promise.reject(new Failure('not_found', request, { status: 404 }));
			if (request.query?.['filter[email]'] === undefined) return undefined;
			return Promise.reject(new Failure('page_out_of_range', request, { status: 400 }));
		},
	});
	expect(statuses).toEqual(['removed']);
});

test.each<[string, number, number, string[]]>([
	[
		'an hour behind keeps people of a session that has begun by the time of the platform',
		hourMs,
		0.5,
		old,
	],
	['an hour ahead keeps nobody of a session that is to come by it', -hourMs, -0.5, []],
])('a clock of ours that is %s', async (_, platformAheadMs, startsInHours, stay) => {
	const { left } = await attacked({
		tamper(request, answer, { clock }) {
			const date = new Date(clock.now() + platformAheadMs).toUTCString();
			const dated = { ...answer, headers: { ...answer.headers, date } };
			if (request.path !== `/sessions/${uuid}`) return dated;
			const estimated_started_at = clock.now() / 1_000 + startsInHours * 3_600;
			return withAttributes(dated, { estimated_started_at });
		},
	});
	expect(left).toEqual(stay);
});

describe('a removal that has to wait', () => {
	const onePerson: Attack = { rows: [rowFor(uuid, 'stays@example.org')], there: [old0] };

	/** The first removals fail for these causes. */
	function failing(causes: readonly Cause[], statuses: Record<string, string> = {}) {
		let removals = 0;
		const attack: Attack = {
			...onePerson,
			platform: { statuses },
			instead(request) {
				const cause = request.method === 'DELETE' ? causes[removals++] : undefined;
				if (cause === undefined) return undefined;
				if ('then' in statuses) statuses[uuid] = statuses.then;
				return Promise.reject(new Failure(cause, request));
			},
		};
		return { attack, removals: () => removals };
	}

	test.each<Cause>(['rate_limited', 'unreachable'])(
		'is not sent again (%s) where the session has begun meanwhile',
		async (cause) => {
			const { attack, removals } = failing([cause], { then: 'live' });
			const run = await attacked(attack);
			expect([run.left, run.statuses, removals()]).toEqual([[old0], ['kept'], 1]);
			expect(whyKept(run)[0]).toMatch(/ is live\. Nobody is removed/);
		},
	);

	test.each<[Cause, Cause[], string]>([
		['platform_error', ['platform_error'], 'live'],
		['unconfirmed', ['unconfirmed'], 'live'],
		['refused', ['unconfirmed', 'refused'], 'upcoming'],
		['unconfirmed', ['unconfirmed', 'not_found'], 'upcoming'],
		['unauthorized', ['unconfirmed', 'unauthorized'], 'upcoming'],
	])(
		'is not known (%s) where the list still shows the person after %j, and the session is %s by then',
		async (code, causes, then) => {
			const { attack, removals } = failing(causes, { then });
			const run = await attacked(attack);
			expect([run.left, run.statuses, removals()]).toEqual([[old0], ['unknown'], causes.length]);
			expect(outcomesOf(run.report)[1]?.reasons).toMatchObject([{ code }]);
		},
	);

	test.each<Cause>(['rate_limited', 'platform_error', 'unconfirmed'])(
		'is sent again (%s) where the session is still to come',
		async (cause) => {
			const { attack, removals } = failing([cause, cause, cause]);
			const run = await attacked(attack);
			expect([run.left, run.statuses, removals()]).toEqual([[], ['removed'], 4]);
		},
	);

	test.each(['live', 'onDemand'])(
		'is not told as kept where a lost response hides that it was done, and the session is %s by then',
		async (then) => {
			const statuses: Record<string, string> = {};
			let removals = 0;
			const run = await attacked({
				...onePerson,
				platform: { statuses },
				async instead(request, ask) {
					const response = await ask(request);
					if (request.method !== 'DELETE') return response;
					removals += 1;
					statuses[uuid] = then === 'live' ? 'live' : 'on_demand';
					throw new Failure('unconfirmed', request);
				},
			});
			expect([run.left, run.statuses, removals]).toEqual([[], ['removed'], 1]);
		},
	);
});

test('nobody is removed from a session on demand, also where the replay begins while the run adds people', async () => {
	const statuses: Record<string, string> = {};
	for (const begins of ['at once', 'later']) {
		if (begins === 'at once') statuses[uuid] = 'on_demand';
		else delete statuses[uuid];
		const run = await attacked({
			platform: { statuses },
			instead({ method }) {
				if (method === 'POST') statuses[uuid] = 'on_demand';
				return undefined;
			},
		});
		expect([run.left, run.statuses]).toEqual([old, ['kept']]);
		expect(whyKept(run)).toEqual(
			old.map(() => expect.stringMatching(/^People may watch the replay of /) as string),
		);
	}
});
