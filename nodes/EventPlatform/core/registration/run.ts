/*
 * Registration of people: many people, few requests, one outcome for each. Begin here. Register, Bulk Register, Sync, the operations
 * of jobs and the webhook trigger stand on this folder.
 *
 *   candidate.ts    a person to register, and people who are sent together
 *   plan.ts         who is sent, in which request, and what that costs at least
 *   runParts.ts     the parts and options of a run, and what it costs; Sync hands its totals to the bulk run that is a part of it
 *   pace.ts         when the next request leaves, and how many at once
 *   jobRequests.ts  sends people, asks for the state of their job, and reads its results
 *   job.ts          what is known of a job, and when and how it is read
 *   errors.ts       what follows from an error: the same step again, parts of it, an outcome, or the end of the run; and which parts
 *   variants.ts     how registrations are written for a platform that refuses lists or UTM values
 *   lostAnswer.ts   the law for people whose request got no answer, and what carries it out
 *   taskResult.ts   one result of a job; assign.ts: whose it is
 *   ledger.ts       what the results of the jobs have shown, and the outcome that follows from one
 *   lookup.ts       asks who is registered where the results leave that open, and brings records and join links
 *   report.ts       counts and words
 *   jobPeople.ts    the people of the jobs that this process has started, for workflows that ask for a job or hear of its end
 *
 * This file carries each request of the plan from the first attempt to send it to the results of its job.
 * ../failures says what a failure means, ../people/outcome.ts what an outcome says.
 */
import { thousands } from '../client/usage';
import { meaningOf } from '../failures/meaning';
import { SessionBreaker } from '../failures/sessionBreaker';
import { mapConcurrently, unlessAborted } from '../client/concurrently';
import { Cancelled } from '../client/clock';
import { asFailure, Failure } from '../client/failure';
import type { Ask } from '../client/request';
import { rememberPeople } from './jobPeople';
import { TaskReader, submit } from './jobRequests';
import { ownReason, reasonOfError, type Outcome } from '../people/outcome';
import type { PendingBatch, Batch } from './candidate';
import { FirstReads, BulkQueue } from './pace';
import { Job, JobReader } from './job';
import { Ledger } from './ledger';
import { LostBatches } from './lostAnswer';
import {
	type Meter,
	type RunOptions,
	type RunParts,
	beginTotals,
	type RunTotals,
} from './runParts';
import type { CollectingView } from '../records/recordView';
import type { Plan } from './plan';
import { RegisteredList } from './lookup';
import { reported, type Report } from './report';
import { Divider, StepErrors, type Step } from './errors';
import { Variants } from './variants';

/** At most so many jobs are open at once. Each costs two requests, so at five a second as many begin in two minutes: more are needed only where a job takes longer. */
const mostOpenJobs = 300;
/** A sleep of this length ends only when its signal is aborted. */
const untilAborted = Infinity;
/**
 * Requests that were under way when the time was over may bring their response for so long, and the run may last so much longer than
 * 'Max Wait'. Each of them tells of up to fifty people, who are `unknown` without it.
 */
const graceMs = 3_000;
/** A session's first request is waited for so long before others follow. One that hangs would hold its session up for a minute. */
const longestHoldMs = 2_000;
const logEveryMs = 10_000;
/** The signal is aborted with a text, because the stack of the usual error would keep the whole run in memory. */
const runIsOver = 'The run is over';

const notAwaited: Outcome = { status: 'unknown', reasons: [ownReason('not_awaited')] };

type SendableBatch = PendingBatch & Required<Pick<PendingBatch, 'variants'>>;

/** People who are sent once more in another variant will show how the platform takes the others of their session. */
function triesVariant(step: Step): boolean {
	return !(step instanceof Job) && step.kind === 'part' && step.variants !== undefined;
}

export async function runBulk(
	plan: Pick<Plan, 'candidates' | 'batches'>,
	parts: RunParts,
	options: RunOptions,
	totals: RunTotals = beginTotals(parts, options.needsResults ? options.maxWaitSeconds : undefined),
): Promise<Report> {
	return await new BulkRun(plan, parts, options, totals).carryOut();
}

class BulkRun {
	/** It is aborted at the end of the run, because a response that comes later is too late. */
	private readonly over = new AbortController();
	private readonly ledger = new Ledger();
	private readonly queue: BulkQueue;
	private readonly errors: StepErrors;
	private readonly jobReader: JobReader;
	private readonly breaker = new SessionBreaker();
	private readonly variants = new Variants();
	private readonly firstReads: FirstReads;
	/** The sessions to which a first request has left, and those about which one has come back. */
	private readonly begunSessions = new Set<string>();
	private readonly heardSessions = new Set<string>();
	private readonly lost: LostBatches;
	private readonly meter: Meter;
	private readonly view: CollectingView;
	private loggedAt: number;

	constructor(
		private readonly plan: Pick<Plan, 'candidates' | 'batches'>,
		private readonly parts: RunParts,
		private readonly options: RunOptions,
		totals: RunTotals,
	) {
		const { api, clock, sessions } = parts;
		const { meter, view } = totals;
		this.meter = meter;
		this.view = view;
		this.lost = new LostBatches(this.ledger, {
			clock,
			sessions,
			view,
			askFor: (about) => this.askBeside(about),
			usage: api.usage,
			over: this.over.signal,
		});
		this.firstReads = new FirstReads();
		this.queue = new BulkQueue(clock, api.usage, this.over.signal);
		const { queue, breaker, variants } = this;
		const divider = options.mayDivide ? new Divider(plan.batches) : undefined;
		this.errors = new StepErrors(parts, { queue, breaker, variants, divider }, meter.deadlineAt);
		this.jobReader = new JobReader(new TaskReader(), view);
		this.loggedAt = clock.now();
	}

	async carryOut(): Promise<Report> {
		const { ledger, queue, meter, view, parts, over } = this;
		const { needsResults, bringsJoinLinks } = this.options;
		void this.endInTime();
		await mapConcurrently(this.plan.batches, mostOpenJobs, (batch) =>
			this.carry(this.afterFirst(batch)),
		);
		await this.carryLost();
		over.abort(runIsOver);
		if (needsResults && !queue.reasonToStop({ kind: 'read' })) {
			const list = new RegisteredList(this.plan, ledger, parts, { meter, view });
			await list.decideOpenOutcomes();
			if (bringsJoinLinks) await list.bringJoinLinks();
		}
		return {
			...meter.spent(),
			people: reported(this.plan.candidates, ({ outcome }) => outcome ?? notAwaited),
			jobs: ledger.jobs,
			stop: queue.reasonToStop({}),
			unreached: queue.health.unreached,
			publicSessions: ledger.publicSessions,
			leftOut: [...this.variants.leftOut],
			answerColumns: view.answerColumns,
		};
	}

	private async carryLost(): Promise<void> {
		const { lost, queue, plan } = this;
		const reason = queue.reasonToStop({ kind: 'read' });
		if (reason) {
			lost.giveUpAll(reason);
			return;
		}
		try {
			const missing = await lost.askLists(plan.batches.length);
			await Promise.all(missing.map((batch) => this.carry(batch)));
		} catch (error) {
			lost.giveUpAll(queue.reasonToStop({}) ?? reasonOfError(error, this.parts.sessions));
		}
	}

	/** Ends the run when its time is over: no more requests leave, and those that have left may still come back. A cancelled run waits for nothing. */
	private async endInTime(): Promise<void> {
		const { clock, signal, sessions } = this.parts;
		const { over, queue, meter } = this;
		const { deadlineAt } = meter;
		const overOrCancelled = AbortSignal.any(signal ? [over.signal, signal] : [over.signal]);
		try {
			await clock.sleep(
				deadlineAt === undefined ? untilAborted : deadlineAt - clock.now(),
				overOrCancelled,
			);
			queue.stop({ reason: ownReason('time_over') });
			await clock.sleep(graceMs, overOrCancelled);
		} catch (error) {
			if (!over.signal.aborted) queue.stop({ reason: reasonOfError(error, sessions) });
		}
		over.abort(runIsOver);
	}

	/**
	 * Holds a batch back until one request about its session has come back. What that one is told, such as that the session is over or
	 * that a value is refused, spares all others the same refusal.
	 */
	private afterFirst(batch: Batch): PendingBatch {
		const { sessionId } = batch;
		if (!this.begunSessions.has(sessionId)) {
			this.begunSessions.add(sessionId);
			return batch;
		}
		const heldUntilAt = this.parts.clock.now() + longestHoldMs;
		const dueAt = () => (this.heardSessions.has(sessionId) ? 0 : heldUntilAt);
		return { ...batch, dueAt };
	}

	private async carry(step: Step): Promise<void> {
		const departure = await this.queue.waitForDeparture(step);
		if (departure.kind === 'never') {
			this.errors.giveUp(step, departure.reason);
			return;
		}
		const next = await this.take(step);
		await Promise.all(next.map((following) => this.carry(following)));
	}

	private async take(waitingStep: Step): Promise<Step[]> {
		const step = waitingStep instanceof Job ? waitingStep : this.inVariant(waitingStep);
		const sentAt = this.parts.clock.now();
		const next = await (step instanceof Job ? this.read(step) : this.send(step)).catch(
			(error: unknown) => this.errors.stepsAfter(step, error, sentAt),
		);
		if (!next.some(triesVariant)) this.heardSessions.add(step.sessionId);
		this.queue.recordReturn(step);
		this.logProgress();
		return next;
	}

	private inVariant(batch: PendingBatch): SendableBatch {
		return { ...batch, variants: batch.variants ?? [this.variants.first()] };
	}

	private async send(batch: SendableBatch): Promise<Job[]> {
		const ask = this.askFor(batch);
		const { lostAt } = batch;
		// An earlier attempt may have arrived, so that another one may register the same people twice.
		if (lostAt !== undefined && (await this.lost.decide({ ...batch, lostAt })) !== 'sendAgain') {
			return [];
		}
		const registrations = batch.people.map(({ row }) => row.registration);
		const variant = batch.variants.at(-1) ?? {};
		const accepted = await submit(batch.sessionId, registrations, variant, ask);
		this.variants.recordAccepted(registrations, variant);
		this.queue.health.recordResponse();
		this.breaker.recordSuccess();
		const job = new Job(accepted, batch, this.parts.clock.now(), this.firstReads);
		this.ledger.recordJob(job);
		const { apiRoot } = this.parts;
		if (apiRoot !== undefined) rememberPeople(apiRoot, job.id, this.ledger.peopleOf(job));
		return this.options.needsResults ? [job] : [];
	}

	private async read(job: Job): Promise<Job[]> {
		const ask = this.askFor(job);
		let reading = await this.jobReader.read(job, ask);
		if (reading.kind === 'unread') {
			// The job is known to be over even where its results cannot be read now.
			job.recordState(reading.state);
			reading = await this.jobReader.readResults(job.id, ask);
		}
		this.queue.health.recordResponse();
		const results = job.recordReading(reading, this.parts.clock.now());
		if (!results) return [job];
		job.recordCounts(this.ledger.recordResults(job, results));
		return [];
	}

	private logProgress(): void {
		const { clock, log, api } = this.parts;
		if (clock.now() - this.loggedAt < logEveryMs) return;
		this.loggedAt = clock.now();
		const { jobs } = this.ledger;
		const confirmed = jobs.filter(({ status }) => status !== 'processing').length;
		log?.(
			`Bulk registration: ${thousands(confirmed)} of ${thousands(this.plan.batches.length)} jobs confirmed, ` +
				`${thousands(jobs.length - confirmed)} under way, ${thousands(api.usage.requests)} requests`,
		);
	}

	/** Sends a question about the event or the list of people. Its answer, even a refusal, shows that the platform responds. */
	private askBeside(about: { readonly sessionId: string }): Ask {
		const ask = this.askFor(about);
		return async (request) => {
			const result = await ask(request).catch(asFailure);
			if (!(result instanceof Failure)) {
				this.queue.health.recordResponse();
				return result;
			}
			if (result.status !== undefined && !meaningOf(result).isPassing)
				this.queue.health.recordResponse();
			throw result;
		};
	}

	/** The function that sends the requests of a step fails once the run is over. */
	private askFor({ sessionId }: { readonly sessionId: string }): Ask {
		const ask = this.meter.askFor(sessionId);
		const refuse = () => Promise.reject(new Cancelled());
		return (request) => unlessAborted(this.over.signal, ask(request), refuse);
	}
}
