import type { PendingBatch } from '../../../nodes/EventPlatform/core/registration/candidate';
import { FirstReads, BulkQueue } from '../../../nodes/EventPlatform/core/registration/pace';
import { Job } from '../../../nodes/EventPlatform/core/registration/job';
import { planRun } from '../../../nodes/EventPlatform/core/registration/plan';
import { Variants } from '../../../nodes/EventPlatform/core/registration/variants';
import {
	Divider,
	StepErrors,
	type Step,
} from '../../../nodes/EventPlatform/core/registration/errors';
import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { SessionBreaker } from '../../../nodes/EventPlatform/core/failures/sessionBreaker';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import { acceptedJob, someRows, rowFor } from '../../support/runs/simulation';
import { VirtualClock } from '../../support/time/virtualClock';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';

describe('what follows from an error', () => {
	type FailureFacts = ConstructorParameters<typeof Failure>[2];

	const failure = (cause: Cause, facts?: FailureFacts) =>
		new Failure(cause, { method: 'POST', path: '/sessions/s/people/bulk' }, facts);

	const noSessions = new SessionCache(() => Promise.reject(new Error('Nobody is asked')));

	interface SceneOptions {
		mayDivide?: boolean;
		/** When the time of the run is over, in milliseconds after it began. */
		endsAfterMs?: number;
	}

	const plan = planRun(someRows(3, 's'));
	const people = plan.candidates;

	/** A run of three people, of whom nothing is known yet, and what errors come to in it. */
	function scene({ mayDivide = false, endsAfterMs }: SceneOptions = {}) {
		const clock = new VirtualClock();
		const now = clock.now();
		for (const person of people) person.outcome = undefined;
		const queue = new BulkQueue(clock, { perSecond: 5 }, new AbortController().signal);
		const divider = mayDivide ? new Divider(plan.batches) : undefined;
		const run = { queue, divider, breaker: new SessionBreaker(), variants: new Variants() };
		const deadlineAt = endsAfterMs === undefined ? undefined : now + endsAfterMs;
		const errors = new StepErrors({ clock, sessions: noSessions }, run, deadlineAt);
		/** Which requests may not leave any more: sends and reads of this session, and of another. */
		const stopped = () =>
			[
				queue.reasonToStop({ sessionId: 's' }) && 'sends',
				queue.reasonToStop({ sessionId: 's', kind: 'read' }) && 'reads',
				queue.reasonToStop({ sessionId: 'other' }) && 'sends of others',
				queue.reasonToStop({ sessionId: 'other', kind: 'read' }) && 'reads of others',
			].filter((stop) => stop !== undefined);
		const outcomes = () => people.map(({ outcome }) => outcome);
		const codes = () => outcomes().map((outcome) => outcome?.reasons.map(({ code }) => code));
		const statuses = () => outcomes().map((outcome) => outcome?.status);
		const stepsAfter = (step: Step, error: unknown, sentAt = now) =>
			errors.stepsAfter(step, error, sentAt);
		return {
			errors,
			now,
			queue,
			health: queue.health,
			stopped,
			outcomes,
			codes,
			statuses,
			stepsAfter,
		};
	}

	const batch: PendingBatch = { sessionId: 's', people };
	const lostBatch: PendingBatch = { ...batch, lostAt: 7 };
	const jobOf = () => new Job(acceptedJob('j1'), { sessionId: 's', people }, 0, new FirstReads());

	const everything = ['sends', 'reads', 'sends of others', 'reads of others'];
	const nobodyDone = [undefined, undefined, undefined];
	const all = (status: string) => Array<string>(3).fill(status);

	describe('people whose request may have arrived', () => {
		test.each<Cause>(['unconfirmed', 'platform_error', 'not_json', 'unexpected_shape'])(
			'after %s are marked when they go again',
			(cause) => {
				const { stepsAfter, now, statuses } = scene();
				expect(stepsAfter(batch, failure(cause), now - 30)).toMatchObject([
					{ ...batch, kind: 'again', lostAt: now - 30 },
				]);
				expect(statuses()).toEqual(nobodyDone);
			},
		);

		test('keep the time of the first attempt that got lost', () => {
			const { stepsAfter } = scene();
			expect(stepsAfter(lostBatch, failure('unconfirmed'))).toMatchObject([{ lostAt: 7 }]);
			expect(stepsAfter(lostBatch, new Error('A mistake of ours'))).toEqual([lostBatch]);
		});

		test.each<Cause>(['unreachable', 'rate_limited'])('are not those after %s', (cause) => {
			const { stepsAfter } = scene();
			const [step] = stepsAfter(batch, failure(cause));
			expect(step).toMatchObject({ kind: 'again', failedAttempts: 1 });
			expect(step?.lostAt).toBeUndefined();
		});

		test('stay marked where a later attempt has certainly not arrived', () => {
			expect(scene().stepsAfter(lostBatch, failure('unreachable'))).toMatchObject([{ lostAt: 7 }]);
		});

		test.each<Cause>(['refused', 'unprocessable', 'already_exists', 'forbidden', 'missing_scope'])(
			'are unknown, and not failed, where a later attempt is %s',
			(cause) => {
				const { stepsAfter, statuses, codes } = scene();
				expect(stepsAfter(lostBatch, failure(cause))).toEqual([]);
				expect(statuses()).toEqual(all('unknown'));
				expect(codes()).toEqual(Array(3).fill([cause]));
			},
		);
	});

	describe('an error that is no failure', () => {
		test.each([
			['a cancel', new Cancelled(), 'cancelled'],
			['a mistake of ours', new Error('Oops'), 'unexpected'],
		])('ends the run: %s', (_, error, code) => {
			const { stepsAfter, queue, stopped, now } = scene({ mayDivide: true });
			expect(stepsAfter(batch, error, now - 30)).toEqual([{ ...batch, lostAt: now - 30 }]);
			expect(stopped()).toEqual(everything);
			expect(queue.reasonToStop({})?.code).toBe(code);
		});

		test('leaves a job as it is', () => {
			const job = jobOf();
			expect(scene().stepsAfter(job, new Cancelled())).toEqual([job]);
			expect([job.lostAt, job.failedReads]).toEqual([undefined, 0]);
		});
	});

	describe('a batch that the platform does not answer', () => {
		test.each([
			[undefined, 500],
			[1, 1_000],
			[6, 30_000],
		])('after %p failures goes again in %i ms', (failedAttempts, ms) => {
			const { stepsAfter, now } = scene();
			const [step] = stepsAfter({ ...batch, failedAttempts }, failure('unreachable'));
			expect(step).toMatchObject({ failedAttempts: (failedAttempts ?? 0) + 1 });
			expect(step?.dueAt?.(0)).toBe(now + ms);
		});

		test('goes when the platform says, where that is later', () => {
			const { stepsAfter, now } = scene();
			const dueAfter = (retryAt: number) =>
				stepsAfter(batch, failure('rate_limited', { retryAt }))[0]?.dueAt?.(0);
			expect(dueAfter(now + 9_000)).toBe(now + 9_000);
			expect(dueAfter(now + 9)).toBe(now + 500);
		});

		test.each<[string, PendingBatch, Cause, string]>([
			['certainly never arrived', batch, 'unreachable', 'failed'],
			['may just have arrived', batch, 'unconfirmed', 'unknown'],
			['may have arrived before', lostBatch, 'unreachable', 'unknown'],
		])('eight times is given up, and %s', (_, step, cause, status) => {
			const { stepsAfter, statuses } = scene();
			expect(stepsAfter({ ...step, failedAttempts: 6 }, failure(cause))).toHaveLength(1);
			expect(statuses()).toEqual(nobodyDone);
			expect(stepsAfter({ ...step, failedAttempts: 7 }, failure(cause))).toEqual([]);
			expect(statuses()).toEqual(all(status));
		});

		test('is never divided', () => {
			const { stepsAfter } = scene({ mayDivide: true });
			expect(stepsAfter(batch, failure('platform_error'))).toHaveLength(1);
		});
	});

	describe('a batch that is refused as a whole', () => {
		const refusal = failure('unprocessable', {
			status: 422,
			errors: [{ code: 'odd', detail: 'No' }],
		});

		test('goes again in parts where it may be divided', () => {
			const { stepsAfter, statuses, stopped } = scene({ mayDivide: true });
			const parts = stepsAfter(batch, refusal).map((part) => part.people);
			expect(parts).toEqual([people.slice(0, 2), people.slice(2)]);
			expect(statuses()).toEqual(nobodyDone);
			expect(stopped()).toEqual([]);
		});

		test('is divided also where an earlier attempt may have arrived', () => {
			const { stepsAfter } = scene({ mayDivide: true });
			expect(stepsAfter(lostBatch, refusal).map(({ lostAt }) => lostAt)).toEqual([7, 7]);
		});

		test('says that it was not divided, and why it was refused', () => {
			const { stepsAfter, statuses, codes, stopped } = scene();
			expect(stepsAfter(batch, refusal)).toEqual([]);
			expect(statuses()).toEqual(all('failed'));
			expect(codes()).toEqual(Array(3).fill(['refused_together', 'odd']));
			expect(stopped()).toEqual([]);
		});

		test('and has one person is about that person alone', () => {
			const { stepsAfter, codes } = scene({ mayDivide: true });
			expect(stepsAfter({ ...batch, people: people.slice(1, 2) }, refusal)).toEqual([]);
			expect(codes()).toStrictEqual([undefined, ['odd'], undefined]);
		});

		test('because nobody may send there is not divided, and its people were not sent', () => {
			const { stepsAfter, outcomes, stopped } = scene({ mayDivide: true });
			expect(stepsAfter(batch, failure('forbidden', { status: 403 }))).toEqual([]);
			const message = expect.stringMatching(/^Not sent\./) as string;
			expect(outcomes()).toEqual(
				Array(3).fill({ status: 'failed', reasons: [{ code: 'forbidden', message }] }),
			);
			expect(stopped()).toEqual(['sends']);
		});
	});

	describe('what may not leave any more', () => {
		test.each<[Cause, string[]]>([
			['refused', []],
			['unprocessable', []],
			['already_exists', []],
			['forbidden', ['sends']],
			['not_found', ['sends']],
			['unauthorized', ['sends', 'sends of others']],
			['missing_scope', ['sends', 'sends of others']],
			['quota_spent', ['sends', 'sends of others']],
			['time_over', ['sends', 'sends of others']],
			['platform_error', []],
			['unreachable', []],
		])('after %s to a batch: %j', (cause, expected) => {
			const { stepsAfter, stopped } = scene();
			stepsAfter(batch, failure(cause));
			expect(stopped()).toEqual(expected);
		});

		test.each<[Cause, string[]]>([
			['forbidden', ['sends', 'reads']],
			['unauthorized', everything],
			['quota_spent', everything],
			['platform_error', []],
			// Results may lag behind the end of their job.
			['not_found', []],
			['refused', []],
			['page_out_of_range', []],
			['unprocessable', []],
			['already_exists', []],
		])('after %s to the read of a job: %j', (cause, expected) => {
			const { stepsAfter, stopped } = scene();
			stepsAfter(jobOf(), failure(cause));
			expect(stopped()).toEqual(expected);
		});

		test('is everything to be sent where a second session is refused without a word', () => {
			const { stepsAfter, stopped } = scene();
			stepsAfter({ ...batch, sessionId: 'first' }, failure('forbidden'));
			expect(stopped()).toEqual([]);
			stepsAfter(batch, failure('forbidden'));
			expect(stopped()).toEqual(['sends', 'sends of others']);
		});
	});

	describe('a pause that the platform asks for', () => {
		function stoppedByPause(pauseMs: number, endsAfterMs?: number): string[] {
			const { stepsAfter, stopped, now } = scene({ endsAfterMs });
			stepsAfter(batch, failure('rate_limited', { retryAt: now + pauseMs }));
			return stopped();
		}

		test.each([
			{ what: 'of two minutes, which the run waits', pauseMs: 120_000 },
			{ what: 'until the end of the run', pauseMs: 60_000, endsAfterMs: 60_000 },
		])('does not end the run: $what', ({ pauseMs, endsAfterMs }) => {
			expect(stoppedByPause(pauseMs, endsAfterMs)).toEqual([]);
		});

		test.each([
			{ what: 'of more than two minutes', pauseMs: 120_001 },
			{ what: 'beyond the end of the run', pauseMs: 60_001, endsAfterMs: 60_000 },
		])('ends the run where it is too long: $what', ({ pauseMs, endsAfterMs }) => {
			expect(stoppedByPause(pauseMs, endsAfterMs)).toEqual(everything);
		});
	});

	test('a platform that has failed for too long ends the run, and its reads', () => {
		const { stepsAfter, stopped, health, now } = scene();
		health.recordFailure(now - 10_000, now - 5_000, failure('unreachable'));
		stepsAfter(batch, failure('unreachable'));
		expect(stopped()).toEqual(everything);
	});

	describe('the health of the platform', () => {
		test.each<[string, Step, Failure, 'failed' | 'responded' | 'unchanged']>([
			['no response', batch, failure('unreachable'), 'failed'],
			['no response to a read', jobOf(), failure('platform_error', { status: 500 }), 'failed'],
			['a read that may not be made', jobOf(), failure('forbidden', { status: 403 }), 'failed'],
			['a refusal', batch, failure('refused', { status: 400 }), 'responded'],
			['a request that was not sent', batch, failure('quota_spent'), 'unchanged'],
			['results that may come later', jobOf(), failure('not_found', { status: 404 }), 'unchanged'],
		])('is told by %s', (_, step, error, expected) => {
			const { stepsAfter, health } = scene();
			stepsAfter(step, error);
			// So many requests may be under way at once.
			const most = { failed: 1, unchanged: 4, responded: 20 }[expected];
			expect(health.concurrency(5)).toBe(most);
		});
	});

	describe('a job that cannot be read', () => {
		test.each<Cause>(['platform_error', 'not_found', 'unconfirmed'])(
			'for %s is read again, the more rarely the more often it fails',
			(cause) => {
				const { stepsAfter, statuses, now } = scene();
				const job = jobOf();
				for (const [nth, ms] of [500, 1_000, 2_000].entries()) {
					expect(stepsAfter(job, failure(cause))).toEqual([job]);
					expect([job.failedReads, job.dueAt(0), job.kind]).toEqual([
						nth + 1,
						now + ms,
						'readAgain',
					]);
				}
				expect(job.lostAt).toBeUndefined();
				expect(statuses()).toEqual(nobodyDone);
			},
		);

		test('eight times leaves its people unknown, with the job that has them', () => {
			const { stepsAfter, outcomes } = scene();
			const job = jobOf().recordFailedRead(6, 0);
			expect(stepsAfter(job, failure('not_found'))).toEqual([job]);
			expect(stepsAfter(job, failure('not_found'))).toEqual([]);
			const message = expect.stringMatching(
				/^The platform accepted the person.*'Get Tasks' of 'Job' with the 'job_id'/,
			) as string;
			expect(outcomes()).toEqual(
				Array(3).fill({
					status: 'unknown',
					jobId: 'j1',
					reasons: [{ code: 'not_found', message }],
				}),
			);
		});
	});

	describe('people whose step is given up', () => {
		const reason = { code: 'over', message: 'It is over.' };

		test.each<[string, Step, string, string | undefined]>([
			['were not sent', batch, 'failed', undefined],
			['may be on the platform', lostBatch, 'unknown', undefined],
			['are in a job', jobOf(), 'unknown', 'j1'],
		])('%s', (_, step, status, jobId) => {
			const { errors, outcomes } = scene();
			errors.giveUp(step, reason);
			const expected = outcomes().map((outcome) => [outcome?.status, outcome?.jobId]);
			expect(expected).toStrictEqual(Array(3).fill([status, jobId]));
		});

		test('keep an outcome that they have', () => {
			const { errors, statuses } = scene();
			errors.giveUp({ ...lostBatch, people: people.slice(1, 2) }, reason);
			errors.giveUp(batch, reason);
			expect(statuses()).toEqual(['failed', 'unknown', 'failed']);
		});
	});
});

describe('a batch that was refused as a whole', () => {
	const request = { method: 'POST', path: '/sessions/s/people/bulk' } as const;
	const refusal = (...details: string[]) =>
		new Failure('unprocessable', request, { errors: details.map((detail) => ({ detail })) });

	/** Makes the divider of a run over these rows, and its batches, of which each was refused. */
	function dividerOf(rows: readonly Row[]) {
		const plan = planRun(rows);
		const batches = plan.batches.map((batch): PendingBatch => ({
			...batch,
			kind: 'again',
			failedAttempts: 3,
			dueAt: () => 9,
			lostAt: 7,
		}));
		return { divider: new Divider(plan.batches), batches };
	}

	function refused(rows: readonly Row[]) {
		const { divider, batches } = dividerOf(rows);
		const [batch] = batches;
		if (!batch) throw new Error('The run has no batch');
		const partsOf = (what: PendingBatch, ...details: string[]) =>
			divider.divide(what, refusal(...details));
		return { batch, partsOf };
	}

	test('what was refused as a whole is sent in two parts, at once, and as doubtful as the whole', () => {
		const { batch, partsOf } = refused(someRows(3));
		const part = { sessionId: 's', kind: 'part', lostAt: 7 };
		expect(partsOf({ ...batch, sessionId: 's' })).toEqual([
			{ ...part, people: batch.people.slice(0, 2) },
			{ ...part, people: batch.people.slice(2) },
		]);
	});

	test('one person is not divided', () => {
		const { batch, partsOf } = refused(someRows(1));
		expect(partsOf(batch)).toEqual([]);
	});

	test.each([
		[300, 100],
		[303, 101],
	])('of %d requests %d are divided at most', (batches, most) => {
		const { batch, partsOf } = refused(someRows(batches * 50));
		let splits = 0;
		while (partsOf(batch).length > 0) splits += 1;
		expect(splits).toBe(most);
	});

	test('dividing is pointless where a field that everyone has does not exist', () => {
		const { batch, partsOf } = refused(someRows(60));
		expect(partsOf(batch, "The field 'email' doesn't exist")).toEqual([]);
	});

	describe('dividing goes on, because somebody may be faultless,', () => {
		test('where both halves are refused in the words of the whole', () => {
			const { batch, partsOf } = refused(someRows(50));
			const words = "The field 'email' is not right";
			const quarters = partsOf(batch, words).map((half) => partsOf(half, words));
			expect(quarters.flat().map(({ people }) => people.length)).toEqual([13, 12, 13, 12]);
		});

		test('where words about a field that does not exist quote those that do', () => {
			const rows = [...someRows(49), rowFor('session', 'x@example.com', ['shoe_size'])];
			const { batch, partsOf } = refused(rows);
			const words = "The field 'shoe_size' doesn't exist; there is 'email'";
			expect(partsOf(batch, words)).toHaveLength(2);
		});
	});

	describe('the parts', () => {
		const parts = (...details: string[]) => {
			const { batch, partsOf } = refused([
				rowFor('s', 'ada@example.com'),
				rowFor('s', 'bob@example.com', ['shoe_size']),
				rowFor('s', 'eve@example.com'),
			]);
			return partsOf(batch, ...details).map(({ people }) =>
				people.map((person) => batch.people.indexOf(person)),
			);
		};

		const halves = [[0, 1], [2]];
		const pointedToAlone = [[0, 2], [1]];

		test.each([
			['a field', "The field 'shoe_size' doesn't exist", pointedToAlone],
			['a value', 'We do not know "bob@example.com"', pointedToAlone],
			['something in backticks', 'What is `shoe_size`?', pointedToAlone],
			['a field that nobody has', "The field 'unheard_of' doesn't exist", halves],
			['a field that all have', "The field 'email' is not right", halves],
			['nothing that is quoted', 'shoe_size', halves],
		])('where the platform points to %s', (_, detail, expected) => {
			expect(parts(detail)).toEqual(expected);
			expect(parts("It isn't right", detail)).toEqual(expected);
		});
	});
});
