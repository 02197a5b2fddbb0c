/*
 * Sync: makes the registrants of each session those of a list. Begin here.
 *
 *   law.ts      whom it may remove; to be read aloud
 *   plan.ts     who is added, updated, removed or kept, before anything is sent: all that a dry run shows
 *   outcome.ts  what became of one person, in statuses
 *   changes.ts  what of a registration is to be changed; equal.ts: which answers are the same
 *   typingMistakes.ts  addresses that may be the same person
 *   steps.ts    carries out updates and removals, one request each
 *
 * This file reads the sessions, has them planned, adds people through bulk registration, and applies the
 * law once more before it removes anybody. Nothing is remembered between runs.
 */
import { shortage, type Report } from '../bulk/report';
import { because, notSent } from '../bulk/outcome';
import type { SentJob } from '../bulk/ledger';
import { planRun, type Candidate } from '../bulk/plan';
import { runBulk, type RunParts } from '../bulk/run';
import { Meanings } from '../bulk/health';
import type { Meaning } from '../failures/causes';
import { secondsFor } from '../http/cost';
import { Failure } from '../http/failure';
import { listRecords } from '../http/paginate';
import { asSpelled, pathTo, problemOfId } from '../http/path';
import type { Ask, JsonObject } from '../http/ports';
import { fieldsOf, showAll, type Show } from '../records/simplify';
import { text } from '../http/text';
import { reasonOf, type Reason } from '../jobs/task';
import { readSession, whyClosed, type SessionRead } from '../sessions/readSession';
import { changesOf } from './changes';
import { doubtAbout } from './law';
import { asSync, inDryRun, kept, type SyncOutcome } from './outcome';
import {
	planSync,
	requestsOf,
	sessionsOf,
	type Registered,
	type Rules,
	type Step,
	type SyncPlan,
} from './plan';
import { Steps, type Done } from './steps';

export interface SyncOptions extends Rules {
	/** Nothing is sent: the plan and its cost. */
	rehearses: boolean;
	maxWaitSeconds: number;
}

export interface SyncParts extends RunParts {
	/** A session with its title and time. */
	nameSession?: (session: SessionRead) => string;
}

export interface SyncReport extends Report<SyncOutcome> {
	plan: SyncPlan;
	/** Why nothing was, or would be, sent. */
	refusal?: Reason;
}

/** Makes the registrants of each session those of the list, or tells what that would take. */
export async function runSync(
	rows: readonly Candidate[],
	parts: SyncParts,
	options: SyncOptions,
): Promise<SyncReport> {
	return await new SyncRun(rows, parts, options).finish();
}

class SyncRun {
	private readonly startedAt: number;
	private readonly requestsBefore: number;
	/** Without those that are repeated below the run. */
	private readonly requestsBySession = new Map<string, number>();
	private unreached?: Failure;
	private readonly steps: Steps;
	private readonly meanings = new Meanings();

	/** By the id that the platform answered with. */
	private readonly sessions = new Map<string, Registered & { read?: SessionRead }>();

	constructor(
		private rows: readonly Candidate[],
		private readonly parts: SyncParts,
		private readonly options: SyncOptions,
	) {
		const { api, clock } = parts;
		this.startedAt = clock.now();
		this.requestsBefore = api.usage.requests;
		this.steps = new Steps(parts, (sessionId) => this.askFor(sessionId));
	}

	async finish(): Promise<SyncReport> {
		await this.readSessions();
		const plan = planSync(this.rows, this.sessions, this.options, this.parts.show);
		const refusal = this.refusal(plan);
		if (this.options.rehearses) return { ...this.rehearsal(plan), refusal };
		const whyNot = this.steps.stop ?? refusal;
		if (whyNot) return { ...this.withheld(plan, whyNot), refusal };
		return await this.perform(plan);
	}

	/**
	 * Each session once, then everyone of those with somebody who can be sent: without knowing them
	 * nothing is sent. From here on the rows have the id that the platform answers with.
	 */
	private async readSessions(): Promise<void> {
		const idOf = new Map<string, string>();
		for (const { sessionId } of this.rows) {
			const spelled = asSpelled(sessionId);
			if (idOf.has(spelled) || problemOfId(sessionId) !== undefined) continue;
			const found = this.steps.stop ?? (await this.readSession(sessionId));
			const isRead = 'session' in found;
			const id = (isRead && text(found.session.id)) || sessionId;
			idOf.set(spelled, id);
			const name = (isRead && this.parts.nameSession?.(found)) || id;
			// What could not be read under one spelling of its id is not known.
			if (!this.sessions.get(id)?.people) {
				this.sessions.set(id, isRead ? { name, read: found } : { name, people: found });
			}
		}
		this.rows = this.rows.map((row) => {
			const sessionId = idOf.get(asSpelled(row.sessionId)) ?? row.sessionId;
			return this.asOpen({ ...row, sessionId });
		});
		const wanted = new Set(sessionsOf(this.rows));
		for (const [id, session] of this.sessions) {
			session.people ??= wanted.has(id) ? (this.steps.stop ?? (await this.peopleOf(id))) : [];
		}
	}

	private async readSession(sessionId: string): Promise<SessionRead | Reason> {
		const { api } = this.parts;
		return await this.tried(sessionId, readSession(api, sessionId, this.askFor(sessionId)));
	}

	/** A rehearsal tells what the platform would refuse. */
	private asOpen(row: Candidate): Candidate {
		const { read, name } = this.sessions.get(row.sessionId) ?? { name: '' };
		const closed = read && this.options.rehearses ? whyClosed(read, name) : undefined;
		return closed === undefined ? row : { ...row, problems: [...row.problems, closed] };
	}

	private async peopleOf(sessionId: string): Promise<JsonObject[] | Reason> {
		const path = pathTo`/sessions/${sessionId}/people`;
		const list = listRecords(this.askFor(sessionId), path, {}, this.parts.signal);
		return await this.tried(sessionId, list);
	}

	/** What is wrong with one session leaves the others; anything else concerns them all. */
	private async tried<Read>(sessionId: string, reading: Promise<Read>): Promise<Read | Reason> {
		try {
			const read = await reading;
			this.meanings.isAllowed();
			return read;
		} catch (error) {
			const reason = because(error, this.parts.explain);
			if (error instanceof Failure && isOfOneSession(this.meanings.of(error, sessionId))) {
				return reason;
			}
			this.steps.stop = reason;
			if (error instanceof Failure) this.unreached = error;
			return reason;
		}
	}

	private refusal(plan: SyncPlan): Reason | undefined {
		if (plan.refusal) return plan.refusal;
		// The lists have just told what is left of the month.
		const { monthlyRemaining } = this.parts.api.usage;
		const message = shortage(requestsOf(plan).requests, monthlyRemaining);
		return message === undefined ? undefined : { code: 'quota_spent', message };
	}

	/** Additions first, removals last and only of sessions without doubt: a run that ends early has taken nobody away. */
	private async perform(plan: SyncPlan): Promise<SyncReport> {
		const outcomes = [...plan.outcomes];
		const jobs = await this.add(plan, outcomes);
		const doubts = this.doubtsAfter(plan, outcomes);
		const isCertain = ({ sessionId }: Step) => !doubts.has(sessionId);
		for (const { index, sessionId } of plan.removals) {
			const why = doubts.get(sessionId);
			if (why && !plan.doubts.has(sessionId)) outcomes[index] = kept(outcomes[index], why);
		}
		for (const steps of [plan.updates, plan.removals.filter(isCertain)]) {
			await this.steps.take(steps, ({ index }, done) => {
				const planned = outcomes[index];
				if (planned) outcomes[index] = { ...planned, ...outcomeOf(done, this.parts.show) };
			});
		}
		return { ...this.report(plan, outcomes), jobs };
	}

	/** What came of the additions may speak against removals from their session. */
	private doubtsAfter({ additions, doubts }: SyncPlan, outcomes: readonly SyncOutcome[]) {
		const all = new Map([...doubts].map(([id, known]) => [id, [...known]]));
		if (this.options.removesDespite) return all;
		for (const index of additions) {
			const { sessionId = '', email } = this.rows[index] ?? {};
			const { status = 'unknown', errors = [] } = outcomes[index] ?? {};
			const reason = reasonOf(errors) ?? status;
			const doubt = doubtAbout({ row: index + 1, email, status, reason });
			if (doubt !== undefined) all.set(sessionId, [...(all.get(sessionId) ?? []), doubt]);
		}
		return all;
	}

	private async add({ additions }: SyncPlan, outcomes: SyncOutcome[]) {
		const { parts, options, startedAt } = this;
		const bulk = planRun(additions.flatMap((index) => this.rows[index] ?? []));
		if (bulk.chunks.length === 0) return [];
		const passed = (parts.clock.now() - startedAt) / 1_000;
		const maxWaitSeconds = options.maxWaitSeconds - passed;
		const placeOf = (place: number) => additions[place] ?? -1;
		const inPlace = (job: SentJob): SentJob => ({ ...job, people: job.people.map(placeOf) });
		const onJob = (job: SentJob) => parts.onJob?.(inPlace(job));
		const waiting = { waits: true, maxWaitSeconds, isolates: true };
		const report = await runBulk(bulk, { ...parts, onJob }, waiting);
		for (const [place, outcome] of report.outcomes.entries()) {
			// Of whom it may be a second address.
			const note = outcomes[placeOf(place)]?.errors ?? [];
			const errors = outcome.status === 'registered' ? note : outcome.errors;
			outcomes[placeOf(place)] = asSync({ ...outcome, errors });
		}
		addAll(this.requestsBySession, report.requestsBySession);
		this.steps.stop = report.stop;
		return report.jobs.map(inPlace);
	}

	/** The api, as far as one session uses it, for as long as the run may take. */
	private askFor(sessionId: string): Ask {
		const deadline = this.startedAt + this.options.maxWaitSeconds * 1_000;
		return (request) => {
			addAll(this.requestsBySession, new Map([[sessionId, 1]]));
			return this.parts.api({ ...request, deadline });
		};
	}

	/** What the run would cost, the pages that were read for it included. */
	private rehearsal(plan: SyncPlan): SyncReport {
		const cost = requestsOf(plan);
		const outcomes = plan.outcomes.map((outcome) => {
			const { status } = outcome;
			const isDone = status === 'added' || status === 'updated' || status === 'removed';
			return isDone ? { ...outcome, status: inDryRun[status] } : outcome;
		});
		const report = this.report(plan, outcomes);
		const requests = report.requests + cost.requests;
		const requestsBySession = addAll(new Map(report.requestsBySession), cost.bySession);
		const seconds = secondsFor(requests, this.parts.api.usage);
		return { ...report, requests, requestsBySession, seconds };
	}

	private withheld(plan: SyncPlan, whyNot: Reason): SyncReport {
		const planned = new Set([...plan.additions, ...plan.updates.map(({ index }) => index)]);
		const spared = new Set(plan.removals.map(({ index }) => index));
		const outcomes = plan.outcomes.map((outcome, index): SyncOutcome => {
			if (spared.has(index)) return { ...outcome, status: 'kept', errors: [whyNot] };
			return planned.has(index) ? { ...outcome, ...asSync(notSent(whyNot)) } : outcome;
		});
		return this.report(plan, outcomes);
	}

	private report(plan: SyncPlan, outcomes: readonly SyncOutcome[]): SyncReport {
		const { api, clock } = this.parts;
		return {
			plan,
			outcomes,
			jobs: [],
			requests: api.usage.requests - this.requestsBefore,
			requestsBySession: this.requestsBySession,
			seconds: Math.round((clock.now() - this.startedAt) / 100) / 10,
			stop: this.steps.stop,
			unreached: this.unreached,
		};
	}
}

/** What was planned is so, or something else. */
function outcomeOf(done: Done, show: Show = showAll): Partial<SyncOutcome> {
	if (!('person' in done)) return asSync(done);
	const { person, left, why } = done;
	const shown = { person: show(fieldsOf(person)) };
	if (!left || !why) return shown;
	return { ...shown, status: 'not_updated', changes: changesOf(person, left), errors: [why] };
}

/** Adds the second counts to the first. */
function addAll(counts: Map<string, number>, more: ReadonlyMap<string, number>) {
	for (const [key, count] of more) counts.set(key, (counts.get(key) ?? 0) + count);
	return counts;
}

function isOfOneSession({ person, ends }: Meaning): boolean {
	return ends === 'session' || person === 'refused';
}
