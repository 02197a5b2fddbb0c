import { Failure } from '../client/failure';
import { againAfterMs, longestPauseMs } from '../client/retryPolicy';
import { meaningOf } from '../failures/meaning';
import type { RefusedScope, SessionBreaker } from '../failures/sessionBreaker';
import { linesOf, quotationsIn, saysUnknownField } from '../dialect/refusals';
import { mayMeanNotYet } from './jobRequests';
import {
	notConfirmed,
	notSent,
	reasonOfError,
	refusedTogether,
	type Reason,
} from '../people/outcome';
import { type Batch, type Candidate, type PendingBatch, setOutcome } from './candidate';
import { Job } from './job';
import type { BulkQueue } from './pace';
import type { RunParts } from './runParts';
import type { Variants } from './variants';

export type Step = PendingBatch | Job;

interface AffectedParts {
	queue: BulkQueue;
	breaker: SessionBreaker;
	variants: Variants;
	divider?: Divider;
}

export class StepErrors {
	constructor(
		private readonly parts: Pick<RunParts, 'clock' | 'sessions'>,
		private readonly run: AffectedParts,
		private readonly deadlineAt?: number,
	) {}

	stepsAfter(step: Step, error: unknown, sentAt: number): Step[] {
		const isRead = step instanceof Job;
		const reason = reasonOfError(error, this.parts.sessions);
		if (!(error instanceof Failure)) {
			this.run.queue.stop({ reason });
			// The step will not be taken again: its people get the first reason that stopped the run.
			return [asLost(step, sentAt)];
		}
		// Where a job is not found, or its results are refused, that says nothing about other jobs: the results may lag behind its end.
		if (isRead && mayMeanNotYet(error)) return this.repeat(step, error, reason);
		const { isPassing, effectOnPerson } = meaningOf(error);
		const ends = this.run.breaker.recordFailure(error, step.sessionId);
		// A refused read ends the reads of its session or of the run, so it is no sign that others succeed.
		if (isRead || isPassing) {
			this.run.queue.health.recordFailure(sentAt, this.parts.clock.now(), error);
			const stops = this.isPointless(error) ? 'run' : ends;
			this.stopAfter(stops, { reason, stopsSendingOnly: false }, step);
			return this.repeat(effectOnPerson === 'perhaps' ? asLost(step, sentAt) : step, error, reason);
		}
		if (error.status !== undefined) this.run.queue.health.recordResponse();
		this.stopAfter(ends, { reason, stopsSendingOnly: true }, step);
		return this.stepsAfterRefusal(step, error, reason, ends !== undefined);
	}

	private stepsAfterRefusal(
		batch: PendingBatch,
		failure: Failure,
		reason: Reason,
		isSendingOver: boolean,
	): PendingBatch[] {
		const variant = isSendingOver ? undefined : this.variantAfter(batch, failure);
		if (variant) {
			return [{ ...batch, kind: 'part', variants: [...(batch.variants ?? []), variant] }];
		}
		const parts = isSendingOver ? undefined : this.run.divider?.divide(batch, failure);
		if (parts !== undefined && parts.length > 0) return parts;
		// This attempt was refused, but an earlier one may have been accepted.
		if (isSendingOver || batch.lostAt !== undefined) {
			this.giveUp(batch, reason);
			return [];
		}
		const outcome = refusedTogether(failure, batch.people.length, this.parts.sessions);
		setOutcome(batch.people, outcome);
		return [];
	}

	private variantAfter({ people, variants = [] }: PendingBatch, failure: Failure) {
		const registrations = people.map(({ row }) => row.registration);
		return this.run.variants.next({ registrations, tried: variants }, failure);
	}

	private stopAfter(
		scope: RefusedScope | undefined,
		stop: { reason: Reason; stopsSendingOnly: boolean },
		{ sessionId }: Step,
	): void {
		if (scope === 'run') this.run.queue.stop(stop);
		if (scope === 'session') this.run.queue.stop({ ...stop, sessionId });
	}

	private repeat(step: Step, { retryAt = 0 }: Failure, reason: Reason): Step[] {
		const failures = (step instanceof Job ? step.failedReads : (step.failedAttempts ?? 0)) + 1;
		const waitMs = againAfterMs('batch', failures);
		if (waitMs === undefined) {
			this.giveUp(step, reason);
			return [];
		}
		const readyAt = Math.max(retryAt, this.parts.clock.now() + waitMs);
		if (step instanceof Job) return [step.recordFailedRead(failures, readyAt)];
		return [{ ...step, kind: 'again', failedAttempts: failures, dueAt: () => readyAt }];
	}

	/** The people of a step that is not taken, or not taken again, are on the platform only if an earlier attempt has arrived. */
	giveUp(step: Step, reason: Reason): void {
		const jobId = step instanceof Job ? step.id : undefined;
		const isSent = jobId !== undefined || step.lostAt !== undefined;
		const outcome = isSent ? notConfirmed(reason, jobId) : notSent(reason);
		setOutcome(step.people, outcome);
	}

	private isPointless({ retryAt = 0 }: Failure): boolean {
		const isTooLong = retryAt > this.parts.clock.now() + longestPauseMs;
		const isTooLate = this.deadlineAt !== undefined && retryAt > this.deadlineAt;
		return isTooLong || isTooLate || this.run.queue.health.isHopeless;
	}
}

/** Marks a batch on which the platform may have acted. A job needs no mark, because its batch was accepted. */
function asLost(step: Step, sentAt: number): Step {
	return step instanceof Job ? step : { ...step, lostAt: step.lostAt ?? sentAt };
}

/** A person whom the platform refuses is found by about six divisions of fifty people: a hundred find sixteen. */
const leastDivisions = 100;
/** A session with very many people may have one division for every so many of them, who cost six requests anyway. */
const peoplePerDivision = 150;

export class Divider {
	/** The number of divisions that each session may still have. A session that is absent may have all of them. */
	private readonly divisionsLeft = new Map<string, number>();

	constructor(private readonly batches: readonly Batch[]) {}

	/**
	 * Divides a batch in two: into the people to whom the platform's words point and the others, or else into halves. Gives no parts
	 * where a division is not worth what it costs.
	 */
	divide(batch: PendingBatch, refusal: Failure): PendingBatch[] {
		const { sessionId, people, lostAt } = batch;
		const divisionsLeft = this.divisionsLeft.get(sessionId) ?? this.mostDivisions(sessionId);
		const words = linesOf(refusal.errors);
		if (people.length < 2 || divisionsLeft === 0) return [];
		const quoted = pointedAt(people, words);
		// A field that does not exist is refused for each person who has it.
		if (saysUnknownField(words) && haveAllQuoted(people, words)) return [];
		this.divisionsLeft.set(sessionId, divisionsLeft - 1);
		const half = Math.ceil(people.length / 2);
		const parts =
			quoted.length > 0 && quoted.length < people.length
				? [people.filter((person) => !quoted.includes(person)), quoted]
				: [people.slice(0, half), people.slice(half)];
		// Where an attempt to send the whole batch may have arrived, its parts may have arrived with it.
		return parts.map((part): PendingBatch => {
			return { sessionId, people: part, kind: 'part', lostAt };
		});
	}

	/**
	 * A division costs at most three requests: two send the parts, and one reads what was accepted. So bad rows cost at most 300
	 * requests, or half as many as the session itself. A full batch in which every row is bad needs 98.
	 */
	private mostDivisions(sessionId: string): number {
		const batches = this.batches.filter((batch) => batch.sessionId === sessionId);
		const count = batches.reduce((sum, { people }) => sum + people.length, 0);
		return Math.max(leastDivisions, Math.floor(count / peoplePerDivision));
	}
}

function pointedAt(people: readonly Candidate[], words: string): Candidate[] {
	const quoted = quotationsIn(words);
	return people.filter(({ row }) =>
		row.registration.fields.some(({ id, value }) =>
			[id, value].flat().some((text) => quoted.has(text)),
		),
	);
}

function haveAllQuoted(people: readonly Candidate[], words: string): boolean {
	const quoted = [...quotationsIn(words)];
	return (
		quoted.length > 0 &&
		people.every(({ row }) => {
			const ids = row.registration.fields.map(({ id }) => id);
			return quoted.every((id) => ids.includes(id));
		})
	);
}
