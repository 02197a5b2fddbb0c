import { groupBy } from '../values/collections';
import { attributesOf } from '../client/document';
import { largestPage } from '../client/pages';
import { isGeneratedAddress } from '../dialect/publicEvents';
import { sameAddress } from '../people/address';
import { findPeople, isRegisteredSince, type ListedPerson } from '../people/findPeople';
import { ownReason, type Outcome } from '../people/outcome';
import { otherValuesOf } from '../people/registration';
import type { Row } from '../people/row';
import {
	addressesSentByOthers,
	assign,
	concludeFromList,
	noOrder,
	outcomeLeftOpen,
	type SentPerson,
} from '../jobs/assign';
import { rememberPeople, type JobPeople } from '../jobs/jobPeople';
import type { TaskResult } from '../jobs/taskResult';
import type { Job } from './job';
import type { Mechanism } from './mechanism';
import type { Meter } from './meter';
import type { Plan } from './plan';
import type { RunParts } from './runContext';

/** People of a job of whom the results leave something open that the list of who is registered may show. */
export interface OpenOutcome {
	readonly job: Job;
	/** The indexes of their rows in the input. */
	readonly people: readonly number[];
	/** The results of these people, in any order. */
	readonly results: TaskResult[];
}

/** What the list of who is registered shows of a person, and by which clock. */
export interface ListLookup {
	/** Absent: the list does not show the person. */
	person?: ListedPerson;
	/** How many milliseconds the platform's clock is ahead of ours; absent where no response had a date. */
	clockLeadMs?: number;
}

/** Owns what became of each person. The first outcome of a person stays. */
export class Ledger {
	readonly jobs: Job[] = [];
	readonly openOutcomes: OpenOutcome[] = [];
	/** Sessions whose records show emails that the platform has made up: nobody can be looked for there. */
	readonly publicSessions = new Set<string>();
	/** Sessions whose records show emails as they were sent. */
	readonly sessionsThatKeepEmails = new Set<string>();
	/** Sessions whose list of people was asked for, which is not done twice. */
	private readonly listedSessions = new Set<string>();
	/** People of whom only words say that they are registered already, and nothing speaks against it. */
	private readonly decidedByWords: OpenOutcome[] = [];
	private readonly outcomes: Array<Outcome | undefined>;
	/** The sessions of each job, by its id: some platforms give the same id twice. */
	private readonly sessionsOf = new Map<string, string[]>();
	private order = noOrder;

	constructor(
		private readonly plan: Plan,
		/** The address of the platform; absent: nobody will ask whom a job was for. */
		private readonly apiRoot?: string,
		private readonly without?: Mechanism,
	) {
		this.outcomes = [...plan.outcomes];
	}

	recordJob(job: Job): void {
		this.jobs.push(job);
		this.sessionsOf.set(job.id, [...(this.sessionsOf.get(job.id) ?? []), job.sessionId]);
		if (this.apiRoot !== undefined) rememberPeople(this.apiRoot, job.id, this.peopleOf(job));
	}

	/** Records the outcomes of the people of a job that is over. */
	recordResults(job: Job, results: TaskResult[]): void {
		const { people, sessionId } = job;
		const sessions = this.sessionsOf.get(job.id) ?? [];
		// An address names a person within one session only, so results that may be of another session are not used.
		const ownResults = sessions.every((session) => session === sessionId) ? results : [];
		const emails = this.emailsOf(people);
		const hasGenerated = ownResults.some(({ email = '' }) => isGeneratedAddress(email));
		const hasSent = ownResults.some(({ email = '' }) => emails.includes(email));
		if (hasGenerated) this.publicSessions.add(sessionId);
		if (hasSent) this.sessionsThatKeepEmails.add(sessionId);
		const assigned = assign(emails, ownResults, {
			order: this.order,
			succeeded: job.final?.succeeded,
			isOfOthersToo: sessions.length > 1,
			sentByOthers: this.sharedAddresses(people, ownResults),
			mayProveOrder: this.without !== 'orderProof',
		});
		const { open, left, isContradicted } = assigned;
		this.order = assigned.order;
		for (const [position, index] of people.entries()) {
			this.recordResult(job, index, assigned.results[position]);
		}
		this.recordOutcome(people, outcomeLeftOpen(left, isContradicted, job.id));
		const openPeople = open.flatMap((position) => people[position] ?? []);
		if (open.length > 0) this.openOutcomes.push({ job, people: openPeople, results: left });
		job.recordResults(ownResults);
	}

	/** Records the same outcome for all of these people, as far as they have none yet. */
	recordOutcome(people: readonly number[], outcome: Outcome): void {
		for (const index of people) this.outcomes[index] ??= outcome;
	}

	/**
	 * Asks who is registered where the results did not say whose they are, or whether it was by this run, for
	 * at most half as many requests as the plan, or fifty; where only words say that somebody is registered,
	 * for one in the whole run. What it does not find out stays as it is.
	 */
	async findOutWhoIsRegistered(
		parts: Pick<RunParts, 'api' | 'clock' | 'view'>,
		meter: Meter,
	): Promise<void> {
		const { usage } = parts.api;
		const lastRequest = usage.requests + Math.max(50, this.plan.batches.length);
		for (const [id, openOutcomes] of groupBy(this.openOutcomes, ({ job }) => job.sessionId)) {
			if (this.publicSessions.has(id)) continue;
			await this.decideFromList(id, openOutcomes, lastRequest - usage.requests, parts, meter);
		}
		const [onlySession, ...more] = groupBy(this.decidedByWords, ({ job }) => job.sessionId);
		if (!onlySession || more.length > 0) return;
		const [id, openOutcomes] = onlySession;
		if (!this.publicSessions.has(id)) await this.decideFromList(id, openOutcomes, 1, parts, meter);
	}

	/**
	 * Brings the records of people who were registered before the run, of whom a result says only that: for one request a
	 * session, where that can bring all of them.
	 */
	async bringRecords(
		parts: Pick<RunParts, 'clock' | 'view' | 'sessions'>,
		meter: Meter,
	): Promise<void> {
		const missing = [...this.outcomes.keys()].filter((index) => {
			const { status, person } = this.outcomes[index] ?? {};
			return status === 'already_registered' && !person;
		});
		const sessions = groupBy(missing, (index) => this.plan.people[index]?.sessionId ?? '');
		for (const [sessionId, people] of sessions) {
			if (this.publicSessions.has(sessionId) || this.listedSessions.has(sessionId)) continue;
			if (people.length > 1 && !this.mayFitOnPage(sessionId, parts.sessions)) continue;
			const emails = this.emailsOf(people);
			const list = await findPeople(sessionId, emails, 1, meter.askFor(sessionId), parts);
			for (const [position, index] of people.entries()) {
				const outcome = this.outcomes[index];
				const person = list?.people.get(emails[position] ?? '')?.person;
				if (outcome && person) this.outcomes[index] = { ...outcome, person };
			}
		}
	}

	/** One outcome for each person, in the order of the input. */
	all(): Outcome[] {
		const notAwaited: Outcome = { status: 'unknown', errors: [ownReason('not_awaited')] };
		return this.outcomes.map((outcome) => outcome ?? notAwaited);
	}

	private recordResult(job: Job, index: number, result: TaskResult | undefined): void {
		if (!result || this.outcomes[index]) return;
		this.outcomes[index] = outcomeOfResult(job, result);
		const openOutcome = { job, people: [index], results: [result] };
		const isLost = job.lostAt !== undefined && result.status === 'already_registered';
		if (isLost) this.openOutcomes.push(openOutcome);
		else if (result.byWords) this.decidedByWords.push(openOutcome);
	}

	/** Whether one page may hold everybody of a session: those whom it had when it was read, and those whom the run has added. */
	private mayFitOnPage(sessionId: string, sessions: RunParts['sessions']): boolean {
		const before = attributesOf(sessions?.find(sessionId)?.session ?? {}).registrants_count;
		const added = this.plan.people.filter(
			(row, index) => row.sessionId === sessionId && this.outcomes[index]?.status === 'registered',
		);
		return typeof before !== 'number' || before + added.length <= largestPage;
	}

	/** Replaces outcomes by what the list of the session shows, if `mostRequests` are enough to read it. */
	private async decideFromList(
		sessionId: string,
		openOutcomes: readonly OpenOutcome[],
		mostRequests: number,
		parts: Pick<RunParts, 'clock' | 'view'>,
		meter: Meter,
	): Promise<void> {
		this.listedSessions.add(sessionId);
		const emails = openOutcomes.flatMap(({ people }) => this.emailsOf(people));
		const list = await findPeople(sessionId, emails, mostRequests, meter.askFor(sessionId), parts);
		if (!list) return;
		const { people: present, clockLead: clockLeadMs } = list;
		for (const { job, people, results } of openOutcomes) {
			const addresses = this.emailsOf(people);
			const assigned =
				people.length === 1 ? results : concludeFromList(addresses, results, present);
			for (const [position, index] of people.entries()) {
				const result = assigned[position];
				const person = present.get(addresses[position] ?? '');
				if (result) this.outcomes[index] = outcomeOfResult(job, result, { person, clockLeadMs });
			}
		}
	}

	/** Collects whom a job is for, because a trigger that hears of its end may have to say whom the platform refused. */
	private peopleOf({ sessionId, people }: Job): JobPeople {
		const rows = people.flatMap((index) => this.plan.people[index] ?? []);
		const emails = rows.map(({ email = '' }) => email);
		const shared = addressesSentByOthers(rows.map(sentPersonOf));
		return { sessionId, emails, sentByOthers: shared.size > 0 ? shared : undefined };
	}

	/** The addresses that other people of the job have sent, too, where the results mention any. */
	private sharedAddresses(
		people: readonly number[],
		results: readonly TaskResult[],
	): ReadonlySet<string> | undefined {
		if (!results.some(({ mentions }) => mentions)) return undefined;
		const rows = people.flatMap((index) => this.plan.people[index] ?? []);
		return addressesSentByOthers(rows.map(sentPersonOf));
	}

	private emailsOf(people: readonly number[]): string[] {
		return people.map((index) => sameAddress(this.plan.people[index]?.email ?? ''));
	}
}

/** Names a person by what was sent. */
export function sentPersonOf({ email = '', registration }: Row): SentPerson {
	return { email: sameAddress(email), others: otherValuesOf(registration) };
}

/** The outcome of a person with this result. `lookup`: what the list of who is registered shows, once it was read. */
export function outcomeOfResult(
	{ id: jobId, lostAt }: Pick<Job, 'id' | 'lostAt'>,
	{ status, person, errors, byWords }: TaskResult,
	lookup?: ListLookup,
): Outcome {
	if (status !== 'already_registered') return { status, jobId, person, errors };
	const { person: listed, clockLeadMs } = lookup ?? {};
	const outcome: Outcome = { status, jobId, person: listed?.person, errors };
	// The list does not show the person, and only words said that it would.
	if (lookup && !listed && byWords) return { ...outcome, status: 'failed' };
	if (lostAt === undefined) return outcome;
	// An earlier attempt whose response got lost has registered the person: the record is younger than the attempt.
	const isByThisRun =
		listed !== undefined &&
		clockLeadMs !== undefined &&
		isRegisteredSince(listed, lostAt + clockLeadMs);
	if (isByThisRun) return { ...outcome, status: 'registered', errors: [] };
	const isByAnotherRun = listed?.registeredAt !== undefined && clockLeadMs !== undefined;
	return isByAnotherRun ? outcome : { ...outcome, errors: [...errors, ownReason('answer_lost')] };
}
