/*
 * Bulk registration: many people, few requests, one outcome for each person. Begin here.
 *
 *   plan.ts      what a run works with; who is sent, in requests of fifty, and who is not
 *   turns.ts     when the next request leaves, and how many at once, by how well the platform answers
 *   job.ts       sends people, and reads their job in as few requests as can be; and when
 *   divide.ts    the parts of a request that was refused as a whole
 *   ledger.ts    what became of each person; asks who is registered where the results leave that open
 *   assign.ts    whose result is whose
 *   outcome.ts   what an outcome says
 *   report.ts    what a run costs, counts and words; the same before anything is sent
 *
 * This file carries each request of the plan from the first try to send it to the results of its job.
 * ../failures says what a failure means.
 */
import { Meanings } from '../failures/meanings';
import { mapConcurrently, unlessAborted } from '../http/collections';
import { Cancelled, Failure } from '../http/failure';
import { againAfterMs } from '../http/retry';
import { longestPauseMs, type Ask } from '../http/ports';
import { TaskReader, type Reason } from '../jobs/task';
import { Divider, type Shipment } from './divide';
import { FirstReads, Job, submit } from './job';
import { Ledger } from './ledger';
import { because, notConfirmed, notSent, own, refusedTogether } from './outcome';
import type { Plan, RunOptions, RunParts } from './plan';
import { createMeter, type Meter, type Report } from './report';
import { Turns, type Turn } from './turns';

/** Jobs at once. Those of a minute need 150 to use the pace; with 40 they take twice as long (`npm run bench -- bulk ablation`). */
const mostOpen = 300;
/** Requests that were under way when time was over may still bring their answer. */
const graceMs = 3_000;
const logEveryMs = 10_000;
/** A reason of its own: the usual one is an error, whose stack would hold the whole run. */
const isOver = 'The run is over';

export async function runBulk(
	plan: Plan,
	parts: RunParts,
	options: RunOptions,
	/** Of the run that this one is a part of. */
	meter = createMeter(parts, options.waits ? options.maxWaitSeconds : Infinity),
): Promise<Report> {
	return await new BulkRun(plan, parts, options, meter).finish();
}

class BulkRun {
	private readonly outcomes: Ledger;
	private readonly meanings = new Meanings();
	private readonly divider: Divider;
	private readonly firstReads = new FirstReads();
	private readonly tasks: TaskReader;
	private readonly turns: Turns;
	/** Aborted at the end: what comes back later is too late. */
	private readonly over = new AbortController();
	private loggedAt: number;

	constructor(
		private readonly plan: Plan,
		private readonly parts: RunParts,
		private readonly options: RunOptions,
		private readonly meter: Meter,
	) {
		const { api, clock, show, onJob } = parts;
		this.outcomes = new Ledger(plan, onJob);
		this.divider = new Divider(plan);
		this.tasks = new TaskReader(show);
		this.turns = new Turns(clock, api.usage, this.over.signal);
		this.loggedAt = this.now;
	}

	async finish(): Promise<Report> {
		const { plan, parts, outcomes, turns, meter } = this;
		void this.end();
		await mapConcurrently(plan.chunks, mostOpen, (chunk) => this.carry(chunk));
		this.over.abort(isOver);
		const isReading = this.options.waits && !turns.whyNot({ kind: 'read' });
		// Ignore errors: these people are already `unknown`.
		if (isReading) await outcomes.askWhoIsThere(parts, meter).catch(() => {});
		return {
			...meter.spent(),
			outcomes: outcomes.all(),
			jobs: outcomes.jobs,
			stop: turns.stopped,
			unreached: this.turns.health.unreached,
		};
	}

	/** When time is over nothing more leaves, and what has left may still come back. A cancel waits for nothing. */
	private async end(): Promise<void> {
		const { clock, signal } = this.parts;
		const either = AbortSignal.any([this.over.signal, ...(signal ? [signal] : [])]);
		try {
			await clock.sleep(this.meter.deadline - this.now, either);
			this.turns.end({ why: own('time_over') });
			await clock.sleep(graceMs, either);
		} catch (error) {
			if (!this.over.signal.aborted) this.turns.end({ why: because(error, this.parts.explain) });
		}
		this.over.abort(isOver);
	}

	private async carry(shipment: Shipment): Promise<void> {
		const sent = await this.send(shipment);
		if (sent instanceof Job) await this.read(sent);
		else await Promise.all(sent.map((next) => this.carry(next)));
	}

	/** Gives their job, or what is to be sent instead: the same again, or parts of it. */
	private async send(shipment: Shipment): Promise<Job | Shipment[]> {
		const { kind = 'new', sessionId, notBefore = 0 } = shipment;
		const whyNot = await this.turns.next({ kind, sessionId, dueAt: () => notBefore });
		if (whyNot) return this.giveUp(shipment, whyNot);
		const sentAt = this.now;
		try {
			const { id } = await submit(shipment, this.plan.people, this.askFor(sessionId));
			this.turns.health.answered();
			this.meanings.isAllowed();
			const job = new Job(id, shipment, this.now, this.firstReads);
			this.outcomes.accepted(job);
			return this.options.waits ? job : [];
		} catch (error) {
			return this.notAccepted(shipment, error, sentAt);
		} finally {
			this.cameBack(kind);
		}
	}

	private notAccepted(shipment: Shipment, error: unknown, sentAt: number): Shipment[] {
		const { sessionId, people } = shipment;
		const why = because(error, this.parts.explain);
		const lost = { ...shipment, lostAt: shipment.lostAt ?? sentAt };
		if (!(error instanceof Failure)) {
			this.turns.end({ why });
			// What ended the run first is why they get no other turn.
			return [lost];
		}
		const { again, person, ends } = this.meanings.of(error, sessionId);
		if (again) {
			this.turns.health.failed(sentAt, this.now, error);
			const left = person === 'perhaps' ? lost : shipment;
			const tries = (shipment.tries ?? 0) + 1;
			const againMs = againAfterMs('shipment', tries);
			const isPointless = this.isPointless(error);
			if (isPointless) this.turns.end({ why });
			if (isPointless || againMs === undefined) return this.giveUp(left, why);
			const notBefore = Math.max(error.retryAt ?? 0, this.now + againMs);
			return [{ ...left, kind: 'again', tries, notBefore }];
		}
		if (error.status !== undefined) this.turns.health.answered();
		if (ends !== undefined) {
			this.turns.end({ why, isOfSending: true, ...(ends === 'session' && { sessionId }) });
			return this.giveUp(shipment, why);
		}
		const parts = this.options.isolates ? this.divider.partsOf(shipment, error) : [];
		if (parts.length > 0) return parts;
		// Refused now, but an earlier try may have been accepted.
		if (shipment.lostAt !== undefined) return this.giveUp(shipment, why);
		this.outcomes.settle(people, refusedTogether(error, people.length, this.parts.explain));
		return [];
	}

	/** Not sent, or not again: they are on the platform only if an earlier try has arrived. */
	private giveUp({ people, lostAt }: Shipment, why: Reason): [] {
		this.outcomes.settle(people, lostAt === undefined ? notSent(why) : notConfirmed(why));
		return [];
	}

	/** A read that fails is tried again here, and not below. */
	private async read(job: Job): Promise<void> {
		const { id, sessionId, people } = job;
		const ask = this.askFor(sessionId);
		const askOnce: Ask = (request) => ask({ ...request, isTriedBySender: true });
		for (;;) {
			const kind = job.wasRead ? 'readAgain' : 'read';
			const dueAt = (reading: number) => job.dueAt(reading);
			const whyNot = await this.turns.next({ kind, sessionId, dueAt });
			if (whyNot) return this.outcomes.settle(people, notConfirmed(whyNot, id));
			const sentAt = this.now;
			try {
				const found = await job.read(askOnce, this.tasks);
				this.turns.health.answered();
				const results = job.found(found, this.now);
				if (results) return this.outcomes.close(job, results);
			} catch (error) {
				const why = this.notRead(job, error, sentAt);
				if (why) return this.outcomes.settle(people, notConfirmed(why, id));
			} finally {
				this.cameBack(kind);
			}
		}
	}

	/** Gives why the job is given up; undefined: it is to be read again. */
	private notRead(job: Job, error: unknown, sentAt: number): Reason | undefined {
		const { id, sessionId } = job;
		const why = because(error, this.parts.explain, id);
		if (!(error instanceof Failure)) {
			this.turns.end({ why });
			return undefined;
		}
		const isGivenUp = !job.notRead(this.now, error.retryAt);
		// That one job is not found concerns no other.
		if (error.reason !== 'not_found') {
			this.turns.health.failed(sentAt, this.now, error);
			const ends = this.isPointless(error) ? 'run' : this.meanings.of(error, sessionId).ends;
			if (ends !== undefined) this.turns.end({ why, ...(ends === 'session' && { sessionId }) });
		}
		return isGivenUp ? why : undefined;
	}

	/** The platform does not answer, or asks for a longer pause than a run waits. */
	private isPointless({ retryAt = 0 }: Failure): boolean {
		const latest = Math.min(this.now + longestPauseMs, this.meter.deadline);
		return retryAt > latest || this.turns.health.isHopeless;
	}

	private cameBack(kind: Turn['kind']): void {
		this.turns.done(kind);
		if (this.now - this.loggedAt < logEveryMs) return;
		this.loggedAt = this.now;
		const { jobs } = this.outcomes;
		const confirmed = jobs.filter(({ status }) => status !== 'processing').length;
		this.parts.log?.(
			`Bulk registration: ${confirmed} of ${this.plan.chunks.length} jobs confirmed, ` +
				`${jobs.length - confirmed} under way, ${this.parts.api.usage.requests} requests`,
		);
	}

	/** The api, as far as one session uses it, until the run is over. */
	private askFor(sessionId: string): Ask {
		const ask = this.meter.askFor(sessionId);
		const tooLate = () => Promise.reject(new Cancelled());
		return (request) => unlessAborted(this.over.signal, ask(request), tooLate);
	}

	private get now(): number {
		return this.parts.clock.now();
	}
}
