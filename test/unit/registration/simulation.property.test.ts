import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/runOutcome';
import fc from 'fast-check';
import type { Status } from '../../../nodes/EventPlatform/core/people/outcome';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';
import {
	refusedEarly,
	type ModelOptions,
	type Trouble,
} from '../../support/platform/platformOptions';
import { logNormal } from '../../support/platform/random';
import {
	rowFor,
	simulate,
	type Circumstances,
	type Simulated,
} from '../../support/runs/simulation';

const kinds: Trouble[] = [
	'unreachable',
	'lost-before',
	'lost-after',
	'500',
	'500-after',
	'html',
	'truncated',
	'429',
];

const durations: Record<string, ModelOptions['jobMs']> = {
	constant: (tasks) => tasks * 20,
	instant: () => 0,
	slow: (tasks) => 3_000 + tasks * 100,
	uneven: (tasks, draw) => tasks * 20 * logNormal(draw, 1),
	stuck: (tasks, draw) => (draw() < 0.1 ? Infinity : tasks * 20 * logNormal(draw, 0.5)),
};

const anyPlatform: fc.Arbitrary<Partial<ModelOptions>> = fc.record({
	seed: fc.nat(),
	jobMs: fc.constantFrom(...Object.keys(durations)).map((name) => durations[name] ?? (() => 0)),
	oneByOne: fc.boolean(),
	earlyResults: fc.constantFrom('partial', 'partial', 'empty', 'empty', ...refusedEarly),
	paging: fc.constantFrom('spec', 'broken'),
	order: fc.constantFrom('kept', 'kept', 'reversed', 'shuffled', 'swapped', 'changing'),
	pageSize: mostly(50, fc.constant(20)),
	lagMs: mostly(0, fc.constantFrom(500, 5_000), 4),
	limiter: fc.constantFrom('sliding', 'fixed', 'bucket'),
	form: mostly('any', fc.constant('letter'), 4),
	refusal: fc.constantFrom<ModelOptions['refusal']>(400, 422, 'page'),
	words: fc.constantFrom('specification', 'other'),
	explains403: fc.boolean(),
	repeatedIds: mostly(0, fc.constant(0.2)),
	emails: fc.constantFrom('as-sent', 'as-sent', 'lower-case', 'absent', 'made-up'),
	lostResults: fc.constantFrom(0, 0, 0, 0.1),
	troubles: fc.constantFrom(0, 0, 0.02, 0.02, 0.1, 0.1, 0.4, 1),
	kinds: fc.subarray(kinds, { minLength: 1 }),
	jitterMs: fc.constantFrom(0, 10, 150),
	monthly: seldom(fc.constantFrom(3, 20)),
	refuseAfter: seldom(
		fc.record({
			requests: fc.nat({ max: 20 }),
			status: fc.constantFrom(401, 402, 403, 404),
			onlyPosts: fc.boolean(),
		}),
	),
});

/**
 * Nobody can know an id that the platform gave in an answer that was lost. Nobody can know either which of
 * several failures that look the same is missing where the order changes from page to page. At a public event, where nobody is named,
 * the order of the tasks is believed. Elsewhere three named people at their places prove it, so that nobody can know that two failures that name nobody
 * have swapped places (`swapped`).
 */
const platforms = anyPlatform.map((platform) => ({
	...platform,
	repeatedIds: platform.troubles === 0 ? platform.repeatedIds : 0,
	pageSize: platform.order === 'changing' ? 50 : platform.pageSize,
	order: platform.emails === 'made-up' ? ('kept' as const) : platform.order,
}));

/** Names say what the model does with them. */
const usual = fc.record({
	session: mostly(mostly('a', 'b', 5), fc.constantFrom('gone', 'closed', '..'), 60),
	name: mostly('p', fc.constantFrom('bad', 'banned', 'P'), 20),
	number: fc.nat({ max: 1_000 }),
	extra: fc.constant<string[]>([]),
	problem: seldom(fc.constant('Not an address'), 60),
});
const refused = fc.record({
	session: fc.constantFrom('a', 'b'),
	name: fc.constantFrom('refuse', 'p'),
	number: fc.nat({ max: 1_000 }),
	extra: fc.constantFrom<string[]>([], ['unheard_of']),
	problem: fc.constant(undefined),
});

const inputs = fc
	.tuple(
		fc.array(usual, { maxLength: 250, size: 'max' }),
		mostly(fc.constant([]), fc.array(refused, { maxLength: 12, size: 'max' }), 3),
		fc.array(usual, { maxLength: 50, size: 'max' }),
	)
	.map((parts) =>
		parts.flat().map(({ session, name, number, extra, problem }): Row => {
			const row = rowFor(session, `${name}${number}@Example.com`, extra);
			const tracking = { ...(number % 3 === 0 && { utm_medium: 'mail' }) };
			return {
				...row,
				registration: { ...row.registration, tracking },
				problems: problem === undefined ? [] : [problem],
			};
		}),
	);

function mostly<A, B = A>(usual: A | fc.Arbitrary<A>, rare: B | fc.Arbitrary<B>, oneIn = 8) {
	const [first, second] = [usual, rare].map((value) =>
		value instanceof fc.Arbitrary ? value : fc.constant(value),
	) as [fc.Arbitrary<A>, fc.Arbitrary<B>];
	return fc.oneof({ weight: oneIn - 1, arbitrary: first }, { weight: 1, arbitrary: second });
}

function seldom<T>(rare: fc.Arbitrary<T>, oneIn = 8): fc.Arbitrary<T | undefined> {
	return mostly<undefined, T>(undefined, rare, oneIn);
}

const circumstances: fc.Arbitrary<Circumstances> = fc.record({
	platform: platforms,
	run: fc.record({
		maxWaitSeconds: mostly(900, fc.constantFrom(1, 15)),
		mayDivide: fc.constantFrom(true, true, false),
	}),
	before: fc.array(
		fc.record({
			sessionId: fc.constantFrom('a', 'b'),
			email: fc.nat({ max: 1_000 }).map((number) => `p${number}@example.com`),
		}),
		{ maxLength: 300, size: 'max' },
	),
	cancelAfterMs: seldom(fc.nat({ max: 8_000 })),
});

/** Lists the broken rules among those that must hold whatever happens, so that a counterexample says what is wrong. */
function lies(rows: readonly Row[], conditions: Circumstances, simulated: Simulated): string[] {
	const { report, plan, platform, durationMs } = simulated;
	const wrong: string[] = [];
	const invited = invitedBefore(conditions);
	if (outcomesOf(report).length !== rows.length) wrong.push('not one outcome for each');
	platform.settle();
	for (const [index, { sessionId, email = '' }] of rows.entries()) {
		const status: Status | undefined = outcomesOf(report)[index]?.status;
		const isThere = platform.isRegistered(sessionId, email);
		const wasThere = invited.has(`${sessionId} ${email.toLowerCase()}`);
		const says = `${email} of ${sessionId} is ${status}`;
		if (status === undefined) wrong.push(`${email} has no outcome`);
		if ((status === 'registered' || status === 'already_registered') && !isThere) {
			wrong.push(`${says}, but not on the platform`);
		}
		if ((status === 'failed' || status === 'invalid') && isThere && !wasThere) {
			const twin = rows.some(
				(row, at) =>
					at !== index &&
					row.sessionId === sessionId &&
					row.email?.toLowerCase() === email.toLowerCase() &&
					outcomesOf(report)[at]?.status !== 'failed',
			);
			if (!twin) wrong.push(`${says}, but on the platform`);
		}
		if (status === 'registered' && wasThere) wrong.push(`${says}, but was there before`);
		if (outcomesOf(report)[index]?.reasons.some(({ code }) => code === 'not_awaited')) {
			wrong.push(`${email} was forgotten`);
		}
	}
	if (platform.largest > 50) wrong.push(`a request with ${platform.largest} tasks`);
	const seconds = (conditions.run?.maxWaitSeconds ?? 900) + 5;
	if (durationMs > seconds * 1_000) wrong.push(`took ${durationMs} ms`);
	if (conditions.cancelAfterMs !== undefined && durationMs > conditions.cancelAfterMs + 1_000) {
		wrong.push('went on after the cancel');
	}
	// Twelve failures in a row end a run, each a request that was turned away fifteen times.
	const most =
		12 * 15 + 100 + 40 * plan.batches.length + 30 * rows.filter(isRefusedTogether).length;
	if (report.requests > most) wrong.push(`${report.requests} requests, at most ${most}`);
	return wrong;
}

function invitedBefore({ before = [] }: Circumstances): Set<string> {
	return new Set(before.map(({ sessionId, email }) => `${sessionId} ${email}`));
}

/** Their request is refused, no matter who else is in it. */
function isRefusedTogether({ email = '', registration }: Row): boolean {
	return email.startsWith('refuse') || JSON.stringify(registration).includes('unheard_of');
}

async function check(rows: readonly Row[], conditions: Circumstances): Promise<void> {
	const simulated = await simulate(rows, conditions);
	expect(lies(rows, conditions, simulated)).toEqual([]);
}

function showsNobody(emails?: ModelOptions['emails']): boolean {
	return emails === 'absent' || emails === 'made-up';
}

/** Platforms that differ in all that is allowed to differ, and on which nothing goes wrong. */
const faultless: fc.Arbitrary<Circumstances> = circumstances.map((conditions) => ({
	before: conditions.before,
	platform: {
		...conditions.platform,
		jobMs:
			conditions.platform?.jobMs === durations.stuck
				? durations.uneven
				: conditions.platform?.jobMs,
		// Without addresses nobody can tell who was there before.
		emails: showsNobody(conditions.platform?.emails) ? 'lower-case' : conditions.platform?.emails,
		lostResults: 0,
		troubles: 0,
		monthly: undefined,
		refuseAfter: undefined,
		// A firewall that refuses several in a row ends the rest.
		refusal: conditions.platform?.refusal === 'page' ? 400 : conditions.platform?.refusal,
		repeatedIds: 0,
	},
}));

/** Says what the platform does with each of them, when all goes well. */
function expected(rows: readonly Row[], conditions: Circumstances): Status[] {
	const invited = invitedBefore(conditions);
	const seen = new Set<string>();
	return rows.map(({ sessionId, email = '', problems, ...rest }) => {
		const key = `${sessionId} ${email.toLowerCase()}`;
		if (problems.length > 0 || sessionId === '..') return 'invalid';
		if (seen.has(key)) return 'duplicate';
		seen.add(key);
		const isRefused = isRefusedTogether({ sessionId, email, problems, ...rest });
		if (isRefused || sessionId === 'gone' || sessionId === 'closed' || email.startsWith('ba')) {
			return 'failed';
		}
		return invited.has(key) ? 'already_registered' : 'registered';
	});
}

async function checkAll(rows: readonly Row[], conditions: Circumstances): Promise<void> {
	const { report, plan } = await simulate(rows, conditions);
	const wrong = expected(rows, conditions).flatMap((status, index) => {
		const { status: actual, reasons } = outcomesOf(report)[index] ?? {
			status: 'lost',
			reasons: [],
		};
		const codes = reasons.map(({ code }) => code).join(', ');
		return actual === status ? [] : `${rows[index]?.email} is ${actual} (${codes}), not ${status}`;
	});
	expect(wrong).toEqual([]);
	const chunks = plan.batches.length;
	const refused = rows.filter(isRefusedTogether).length;
	// Three pages a job and its state where pages are small, twice where results lag; those who are
	// registered on their pages; a path of splits for each that is refused.
	expect(report.requests).toBeLessThanOrEqual(10 + 12 * chunks + 20 * refused);
}

const numRuns = Number(process.env.SIMULATION_RUNS ?? 100);

test('whatever the platform does, everybody is accounted for and nobody is lied about', async () => {
	await fc.assert(fc.asyncProperty(inputs, circumstances, check), { numRuns });
});

test('on a platform without faults everybody has the outcome that the platform gave', async () => {
	await fc.assert(fc.asyncProperty(inputs, faultless, checkAll), {
		numRuns: Math.ceil(numRuns / 4),
	});
});
