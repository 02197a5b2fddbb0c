/*
 * Bulk registration: many people, few requests, one outcome for each person. Begin here.
 *
 *   runContext.ts  what a run works with
 *   mechanism.ts   what a benchmark takes away from a run
 *   plan.ts        who is sent; batch.ts: in which request
 *   queue.ts       when the next request leaves; health.ts: how many at once, by how well the platform answers
 *   submit.ts      sends the people of one request
 *   divide.ts      the parts of a request that was refused as a whole
 *   job.ts         what is known of a job, and how it is read; firstReads.ts: when it is read first
 *   ledger.ts      what became of each person; asks who is registered where the results leave that open
 *   meter.ts       what a run costs, and when its time is over; forecast.ts: the same before anything is sent
 *   report.ts      counts and words
 *
 * This file carries each request of the plan from the first try to send it to the results of its job.
 * ../failures says what a failure means, ../jobs/assign.ts whose result is whose, ../people/outcome.ts what an outcome says.
 */
import { RefusalHistory } from '../failures/refusalHistory';
import { againAfterMs, longestPauseMs } from '../client/retryPolicy';
import { Cancelled } from '../client/cancelled';
import { Failure } from '../client/failure';
import type { Ask } from '../client/request';
import { mapConcurrently, unlessAborted } from '../client/concurrently';
import { mayMeanNotYet } from '../jobs/notYet';
import { TaskReader } from '../jobs/taskReader';
import type { Reason } from '../people/reason';
import { readEmailUse, type EmailUse } from '../people/emailUse';
import { Job } from './job';
import { FirstReads } from './firstReads';
import { Health } from './health';
import { submit } from './submit';
import { createLedger } from './ledger';
import {
	reasonOfError,
	notConfirmed,
	notSent,
	ownReason,
	refusedTogether,
} from '../people/outcome';
import type { Plan } from './plan';
import type { RunOptions, RunParts } from './runContext';
import type { PendingBatch } from './batch';
import { createDivider } from './divide';
import type { Report } from './report';
import { createMeter } from './meter';
import { createQueue } from './queue';

/** Jobs at once. Those of a minute need 150 to use the pace; with 40 they take twice as long (`npm run bench -- bulk ablation`). */
const mostOpen = 300;
const fewOpen = 40;
/** Requests that were under way when time was over may still bring their answer. */
const graceMs = 3_000;
const logEveryMs = 10_000;
/** A reason of its own: the usual one is an error, whose stack would hold the whole run. */
const isOver = 'The run is over';

type Step = PendingBatch | Job;

export async function runBulk(
	plan: Plan,
	parts: RunParts,
	options: RunOptions,
	/** Of the run that this one is a part of. */
	meter = createMeter(parts, options.waits ? options.maxWaitSeconds : Infinity),
): Promise<Report> {
	const { api, clock, signal, sessions, log } = parts;
	/** Aborted at the end: what comes back later is too late. */
	const over = new AbortController();
	const { without } = options;
	const outcomes = createLedger(plan, parts.apiRoot, without);
	const meanings = new RefusalHistory();
	const partsOf = createDivider(plan, without);
	const firstReads = new FirstReads(without);
	const tasks = new TaskReader(parts.view);
	const turns = createQueue(clock, api.usage, over.signal, new Health(without));
	const { health } = turns;
	const emailUses = new Map<string, Promise<EmailUse>>();
	let loggedAt = clock.now();

	/** When time is over nothing more leaves, and what has left may still come back. A cancel waits for nothing. */
	async function end(): Promise<void> {
		const either = AbortSignal.any([over.signal, ...(signal ? [signal] : [])]);
		try {
			await clock.sleep(meter.deadline - clock.now(), either);
			turns.end({ why: ownReason('time_over') });
			await clock.sleep(graceMs, either);
		} catch (error) {
			if (!over.signal.aborted) turns.end({ why: reasonOfError(error, sessions) });
		}
		over.abort(isOver);
	}

	async function carry(step: Step): Promise<void> {
		const whyNot = await turns.next(step);
		const next = whyNot ? giveUp(step, whyNot) : await take(step);
		await Promise.all(next.map(carry));
	}

	/** Gives what follows from it: the same again, parts of it, or the job to read. */
	async function take(step: Step): Promise<Step[]> {
		const sentAt = clock.now();
		try {
			return await (step instanceof Job ? read(step) : send(step));
		} catch (error) {
			return await withoutSecondRegistrations(failed(step, error, sentAt));
		} finally {
			turns.done(step);
			tell();
		}
	}

	async function send(shipment: PendingBatch): Promise<Job[]> {
		const { id } = await submit(shipment, plan.people, askFor(shipment));
		health.recordAnswer();
		meanings.recordSuccess();
		const job = new Job(id, shipment, clock.now(), firstReads, without);
		outcomes.accepted(job);
		return options.waits ? [job] : [];
	}

	async function read(job: Job): Promise<Job[]> {
		const ask = askFor(job);
		// A read that fails is tried again by the run, and not below.
		const found = await job.read((request) => ask({ ...request, retry: 'onlyWhenRefused' }), tasks);
		health.recordAnswer();
		const results = job.recordReading(found, clock.now());
		if (!results) return [job];
		outcomes.close(job, results);
		return [];
	}

	/** Takes in what a failure means for the run, for the session and for the people. */
	function failed(step: Step, error: unknown, sentAt: number): Step[] {
		const { sessionId, people } = step;
		const isRead = step instanceof Job;
		const why = reasonOfError(error, sessions, isRead ? step.id : undefined);
		const lost = isRead ? step : { ...step, lostAt: step.lostAt ?? sentAt };
		if (!(error instanceof Failure)) {
			turns.end({ why });
			// What ended the run first is why they get no other turn.
			return [lost];
		}
		// A job that is not found, or whose results are refused, concerns no other; the results may lag behind its end.
		if (isRead && mayMeanNotYet(error)) return again(step, error, why);
		const { again: isOutage, person, ends } = meanings.meaningOf(error, sessionId);
		const isOfSending = !isRead && !isOutage;
		if (!isOfSending) health.recordFailure(sentAt, clock.now(), error);
		else if (error.status !== undefined) health.recordAnswer();
		const stops = !isOfSending && isPointless(error) ? 'run' : ends;
		const ofOne = stops === 'session' ? sessionId : undefined;
		if (stops) turns.end({ why, isOfSending, sessionId: ofOne });
		if (!isOfSending) return again(person === 'perhaps' ? lost : step, error, why);
		const parts = !ends && options.isolates ? partsOf(step, error) : [];
		if (parts.length > 0) return parts;
		// Refused now, but an earlier try may have been accepted.
		if (ends || step.lostAt !== undefined) return giveUp(step, why);
		outcomes.settle(people, refusedTogether(error, people.length, sessions));
		return [];
	}

	/** Leaves out what may have arrived at a public event, which would register the people again, and nobody could tell. */
	async function withoutSecondRegistrations(steps: Step[]): Promise<Step[]> {
		const mayHaveArrived = (step: Step) => !(step instanceof Job) && step.lostAt !== undefined;
		const [doubtful] = steps.filter(mayHaveArrived);
		if (!doubtful || (await emailUseOf(doubtful)) !== 'replaced') return steps;
		for (const step of steps.filter(mayHaveArrived)) giveUp(step, ownReason('not_repeated'));
		return steps.filter((step) => !mayHaveArrived(step));
	}

	/** Asked at most once for each session: a platform that does not answer would be asked ever more. */
	async function emailUseOf(step: Step): Promise<EmailUse> {
		const { sessionId } = step;
		if (outcomes.publicSessions.has(sessionId)) return 'replaced';
		if (!sessions) return 'unknown';
		const asked =
			emailUses.get(sessionId) ?? readEmailUse(sessions, sessionId, askFor(step)).catch(asUnknown);
		emailUses.set(sessionId, asked);
		const use = await asked;
		if (use !== 'unknown') health.recordAnswer();
		return use;
	}

	function again(step: Step, { retryAt = 0 }: Failure, why: Reason): Step[] {
		const tries = (step.tries ?? 0) + 1;
		const againMs = againAfterMs('shipment', tries);
		if (againMs === undefined) return giveUp(step, why);
		const notBefore = Math.max(retryAt, clock.now() + againMs);
		if (step instanceof Job) return [step.readAgainAt(tries, notBefore)];
		return [{ ...step, kind: 'again', tries, dueAt: () => notBefore }];
	}

	/** Not sent, or not again: they are on the platform only if what was sent before has arrived. */
	function giveUp(step: Step, why: Reason): [] {
		const jobId = step instanceof Job ? step.id : undefined;
		const isSent = jobId !== undefined || step.lostAt !== undefined;
		outcomes.settle(step.people, isSent ? notConfirmed(why, jobId) : notSent(why));
		return [];
	}

	/** The platform does not answer, or asks for a longer pause than a run waits. */
	function isPointless({ retryAt = 0 }: Failure): boolean {
		const latest = Math.min(clock.now() + longestPauseMs, meter.deadline);
		return retryAt > latest || health.isHopeless;
	}

	function tell(): void {
		if (clock.now() - loggedAt < logEveryMs) return;
		loggedAt = clock.now();
		const { jobs } = outcomes;
		const confirmed = jobs.filter(({ status }) => status !== 'processing').length;
		log?.(
			`Bulk registration: ${confirmed} of ${plan.batches.length} jobs confirmed, ` +
				`${jobs.length - confirmed} under way, ${api.usage.requests} requests`,
		);
	}

	/** The api, as far as one session uses it, until the run is over. */
	function askFor({ sessionId }: Step): Ask {
		const ask = meter.askFor(sessionId);
		const tooLate = () => Promise.reject(new Cancelled());
		return (request) => unlessAborted(over.signal, ask(request), tooLate);
	}

	void end();
	await mapConcurrently(plan.batches, without === 'manyOpenJobs' ? fewOpen : mostOpen, carry);
	over.abort(isOver);
	// Ignore errors: these people are already `unknown`.
	if (options.waits && without !== 'askingWhoIsThere' && !turns.whyNot({ kind: 'read' })) {
		await outcomes.askWhoIsThere(parts, meter).catch(() => {});
	}
	const { jobs } = outcomes;
	const { unreached } = health;
	const stop = turns.whyNot({});
	const { publicSessions } = outcomes;
	return { ...meter.spent(), outcomes: outcomes.all(), jobs, stop, unreached, publicSessions };
}

/** A run that has ended meanwhile needs no answer any more. */
function asUnknown(): EmailUse {
	return 'unknown';
}
