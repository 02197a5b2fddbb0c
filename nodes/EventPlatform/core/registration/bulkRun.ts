/*
 * Registration of people: many people, few requests, one outcome for each. Begin here. Register, Bulk Register and Sync stand on this
 * folder, and it on ../jobs, which sends a request with people and reads the results of its job.
 *
 *   candidate.ts    a person to register, and people who are sent together
 *   bulkPlan.ts     who is sent, in which request, and what that costs at least
 *   registrationRun.ts  a run, and what its responses have shown
 *   carrier.ts      asks patiently: carries each request until it has an answer; Sync sends its updates and removals by it
 *   line.ts         when a request leaves: how many at once, and none any more after what stops the run
 *   outage.ts       since when every request of a run fails, or every one that sends people, and what is given up for that
 *   jobReader.ts    how a job is read until it is over; ../jobs/whenRead.ts: when
 *   sendPeople.ts   how people are sent, fifty or one; sendOne.ts: one
 *   refusedBatch.ts what is tried where the platform refuses a whole request: the plain form, and parts
 *   lostAnswer.ts   what becomes of people whose request got no answer
 *   results.ts      what the results of all jobs have shown
 *   runOutcome.ts   what a run came to, its counts and words
 *
 * This file carries the people of each request from the first attempt to send them to their outcomes.
 */
import { mapConcurrently } from '../client/concurrently';
import type { Failure } from '../client/failure';
import { thousands } from '../values/text';
import { isLasting } from '../failures/meaning';
import { outcomeWithoutAnswer } from '../people/conclusion';
import { findPeople } from '../people/findPeople';
import { ownReason, reasonOfError, type Outcome, type Reason } from '../people/outcome';
import { setOutcome, type Batch, type FindPeople } from './candidate';
import { Carrier, skipped } from './carrier';
import type { JobState } from '../dialect/jobs';
import { JobReader, retryOfReads, type SentJob } from './jobReader';
import { rememberPeople } from '../jobs/jobPeople';
import { submit, TaskReader } from '../jobs/jobRequests';
import { FirstReads } from '../jobs/whenRead';
import type { Turn } from './line';
import { LostAnswers } from './lostAnswer';
import { costSoFar } from '../client/run';
import { mostRequestsForBatch, type Plan } from './bulkPlan';
import { Divider } from './refusedBatch';
import { withOutcomes, type RunOutcome } from './runOutcome';
import { Results } from './results';
import type { RegistrationRun } from './registrationRun';
import { sendPeople } from './sendPeople';
import type { Ms } from '../values/units';

/** At most so many jobs are open at once. With two requests each they use up five a second for two minutes, so only longer jobs need more. */
const mostOpenJobs = 300;
const logEveryMs = 10_000;
const notAwaited: Outcome = { status: 'unknown', reasons: [ownReason('not_awaited')] };

export interface RunOptions {
	/** Whether the run waits for the jobs: _Wait for Completion_. */
	needsResults: boolean;
	/** Whether a refused batch is sent again in parts: _Isolate Bad Rows_. */
	mayDivide: boolean;
	/** Whether the personal links are looked for where the results do not have them. */
	needsJoinLinks?: boolean;
}

interface BulkOutcome extends RunOutcome {
	readonly jobs: readonly SentJob[];
}

export async function runBulk(
	plan: Plan,
	run: RegistrationRun,
	options: RunOptions,
): Promise<BulkOutcome> {
	return await new BulkRun(plan, run, options).carryOut();
}

class BulkRun {
	private readonly carrier: Carrier;
	private readonly jobs: SentJob[] = [];
	private readonly results: Results;
	private readonly firstReads = new FirstReads();
	private readonly tasks: TaskReader;
	private readonly divider?: Divider;
	private readonly lostAnswers: LostAnswers;
	/** How many requests may still ask lists about doubts: half of what sending and reading takes, or those for one full batch if that is more. */
	private listRequestsLeft: number;
	private loggedAt: Ms;

	constructor(
		private readonly plan: Plan,
		private readonly run: RegistrationRun,
		private readonly options: RunOptions,
	) {
		this.carrier = new Carrier(run);
		const { ask, over } = this.carrier;
		this.results = new Results(run);
		this.tasks = new TaskReader(ask, retryOfReads);
		// A form is asked for with all attempts of the client: with one, an outage of 90 s left fifty people unknown.
		this.lostAnswers = new LostAnswers(run, ask, over, this.findPatiently);
		if (options.mayDivide) this.divider = new Divider(plan.batches);
		this.listRequestsLeft = Math.max(mostRequestsForBatch, plan.batches.length);
		this.loggedAt = run.clock.now();
	}

	async carryOut(): Promise<BulkOutcome> {
		const { carrier, results, plan, options } = this;
		const { line } = carrier;
		try {
			await mapConcurrently(plan.batches, mostOpenJobs, (batch) => this.carry(batch));
			await this.carryLost();
			if (options.needsResults && !line.reasonToStop({ isRead: true })) {
				// Everybody has an outcome by now, which the lists only make more precise. So the client's four attempts are enough.
				await results.askLists(this.find);
				// People asked for the links, so they do not share what is left for doubts (`listRequestsLeft`).
				if (options.needsJoinLinks) {
					await results.bringJoinLinks(plan.candidates, this.findWithin(mostRequestsForBatch));
				}
			}
		} finally {
			carrier.close();
		}
		return {
			...costSoFar(this.run),
			people: withOutcomes(plan.candidates, notAwaited),
			jobs: this.jobs,
			stop: line.reasonToStop({}),
			failureOfRun: this.run.findings.outage.unreached,
		};
	}

	/** Carries people from the first attempt to send them to their outcomes. */
	private async carry(batch: Batch, how?: { isAhead: boolean }): Promise<void> {
		const job = await this.send(batch, how);
		if (job && this.options.needsResults) await this.readResults(job);
	}

	/** Sends people. Gives their job; undefined where they have their outcomes, are carried in parts, or wait for the list. */
	private async send(batch: Batch, { isAhead = false } = {}): Promise<SentJob | undefined> {
		const { sessionId } = batch;
		const { run, carrier, lostAnswers, divider } = this;
		const answer = await sendPeople(batch, {
			run,
			lostAnswers,
			// Without parts there is nothing else that the requests for them could be needed for.
			mayTryPlain: () => divider?.takeRequests(sessionId, 1) ?? true,
			submit: (registrations, isPlain) => submit(sessionId, registrations, isPlain, carrier.ask),
			ask: (attempt, { isAgain }) => {
				const turn: Turn = { sessionId, isAhead: isAhead || isAgain, isAfterFirst: true };
				return carrier.askPatiently(turn, attempt);
			},
		});
		this.logProgress();
		carrier.line.release(sessionId);
		if (answer.kind === 'none') {
			await this.withoutAnswer(batch, answer.reason, answer.failure);
			return undefined;
		}
		return answer.result === skipped ? undefined : this.recordJob(batch, answer.result);
	}

	private recordJob(batch: Batch, accepted: JobState): SentJob {
		const { apiRoot, clock } = this.run;
		const { id } = accepted;
		const acceptedAt = clock.now();
		const job: SentJob = { ...batch, id, status: 'processing', accepted, acceptedAt };
		// Supposed: nobody has seen it. Without this, people would be told what became of others.
		const twin = this.jobs.find((earlier) => earlier.id === id);
		if (twin) job.isIdShared = twin.isIdShared = true;
		this.jobs.push(job);
		const emails = batch.people.map(({ row }) => row.email);
		rememberPeople(apiRoot, id, { sessionId: batch.sessionId, emails });
		return job;
	}

	/** Reads a job until there will be no more results, or it cannot be read any more, and records what it has shown. */
	private async readResults(job: SentJob): Promise<void> {
		const { carrier, firstReads, results, tasks } = this;
		const { clock, view } = this.run;
		const reader = new JobReader(job, { ask: carrier.ask, clock, tasks, firstReads, view });
		const dueAt = (readsInFlight: number) => reader.dueAt(readsInFlight);
		for (;;) {
			const turn: Turn = {
				sessionId: job.sessionId,
				isRead: true,
				isAhead: reader.hasRead,
				dueAt,
			};
			const answer = await carrier.askPatiently(turn, () => reader.read());
			this.logProgress();
			if (answer.kind === 'none') {
				results.record(job, reader.results, answer.reason);
				return;
			}
			if (answer.result) {
				results.record(job, reader.results);
				return;
			}
		}
	}

	/** Carries people whose request was refused as a whole in parts, or gives them their outcome. */
	private async withoutAnswer(batch: Batch, reason: Reason, failure?: Failure): Promise<void> {
		const { sessionId, people, lost } = batch;
		const { carrier, divider, run } = this;
		const isSendingOver = carrier.line.reasonToStop({ sessionId }) !== undefined;
		const parts = failure && !isSendingOver ? divider?.divide(batch, failure) : undefined;
		if (parts) {
			const { batches, isAhead } = parts;
			await Promise.all(batches.map((part) => this.carry(part, { isAhead })));
			return;
		}
		const attempts = { isLost: lost !== undefined, failure, reason, count: people.length };
		setOutcome(people, outcomeWithoutAnswer('batch', attempts, run.sessions));
	}

	/** Carries on with the people whose answers got lost: the lists tell who is registered, and who is to be sent once more. */
	private async carryLost(): Promise<void> {
		try {
			const stopped = this.carrier.line.reasonToStop({ isRead: true });
			if (stopped) this.lostAnswers.leaveAllUnknown(stopped);
			else await Promise.all((await this.lostAnswers.askLists()).map((batch) => this.carry(batch)));
		} catch (error) {
			this.lostAnswers.leaveAllUnknown(
				this.carrier.line.reasonToStop({}) ?? reasonOfError(error, this.run.sessions),
			);
		}
	}

	private findWithin(mostRequests: number): FindPeople {
		return async (sessionId, people) => {
			const addresses = people.map(({ row }) => row.address);
			const { carrier, run } = this;
			return await findPeople(sessionId, addresses, mostRequests, carrier.ask, run.view);
		};
	}

	/** Asks a list about doubts, with the requests that are left for that. */
	private readonly find: FindPeople = async (sessionId, people) => {
		const { usage } = this.run.client;
		const requestsBefore = usage.requests;
		try {
			return await this.findWithin(this.listRequestsLeft)(sessionId, people);
		} finally {
			this.listRequestsLeft -= usage.requests - requestsBefore;
		}
	};

	/**
	 * Asks the list for people who may have to be sent again. A list that is refused tells nothing. One that fails for a moment is asked again, as
	 * long as the run is patient.
	 */
	private readonly findPatiently: FindPeople = async (sessionId, people) => {
		const refused = (error: unknown) => {
			if (isLasting(error)) return undefined;
			throw error;
		};
		const turn = { sessionId, isRead: true };
		const answer = await this.carrier.askPatiently(turn, () =>
			this.find(sessionId, people).catch(refused),
		);
		return answer.kind === 'answered' ? answer.result : undefined;
	};

	private logProgress(): void {
		const { clock, log, client } = this.run;
		if (clock.now() - this.loggedAt < logEveryMs) return;
		this.loggedAt = clock.now();
		const confirmed = this.jobs.filter(({ status }) => status !== 'processing').length;
		log?.(
			`Bulk registration: ${thousands(confirmed)} of ${thousands(this.plan.batches.length)} jobs confirmed, ` +
				`${thousands(this.jobs.length - confirmed)} under way, ${thousands(client.usage.requests)} requests`,
		);
	}
}
