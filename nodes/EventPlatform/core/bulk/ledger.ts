import { groupBy } from '../values/collections';
import { isGeneratedAddress, sameAddress } from '../people/address';
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
export interface OpenQuestion {
	readonly job: Job;
	/** By their index in the input. */
	readonly people: readonly number[];
	/** The results of these people, in whatever order. */
	readonly oneOf: TaskResult[];
}

/** Whether the list of who is registered has somebody, and by which clock. */
export interface ListLookup {
	/** The person in the list; absent: not there. */
	person?: ListedPerson;
	/** How many milliseconds the platform's clock is ahead of ours; absent where no response had a date. */
	clockLeadMs?: number;
}

/** Owns what became of each person. The first outcome of a person stays. */
export class Ledger {
	readonly jobs: Job[] = [];
	readonly questions: OpenQuestion[] = [];
	/** Sessions whose records show emails that the platform has made up: nobody can be looked for there. */
	readonly publicSessions = new Set<string>();
	/** Sessions whose records show emails as they were sent. */
	readonly sessionsThatKeepEmails = new Set<string>();
	/** Words alone have said that somebody is registered already, and nothing speaks against it. */
	private readonly toldByWords: OpenQuestion[] = [];
	private readonly outcomes: Array<Outcome | undefined>;
	/** The sessions of each job, by its id: some platforms give the same id twice. */
	private readonly sessionsOf = new Map<string, string[]>();
	private order = noOrder;

	constructor(
		private readonly plan: Plan,
		/** Where the platform is; absent: nobody will ask whom a job was for. */
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
		// An address names a person within one session only.
		const believed = sessions.every((session) => session === sessionId) ? results : [];
		const emails = this.emailsOf(people);
		const hasGenerated = believed.some(({ email = '' }) => isGeneratedAddress(email));
		const hasSent = believed.some(({ email = '' }) => emails.includes(email));
		if (hasGenerated) this.publicSessions.add(sessionId);
		if (hasSent) this.sessionsThatKeepEmails.add(sessionId);
		const assigned = assign(emails, believed, {
			order: this.order,
			succeeded: job.final?.succeeded,
			isOfOthersToo: sessions.length > 1,
			sentByOthers: this.sharedAddresses(people, believed),
			mayProveOrder: this.without !== 'orderProof',
		});
		const { open, left, isContradicted } = assigned;
		this.order = assigned.order;
		for (const [position, index] of people.entries()) {
			this.recordResult(job, index, assigned.results[position]);
		}
		this.recordOutcome(people, outcomeLeftOpen(left, isContradicted, job.id));
		const openPeople = open.flatMap((position) => people[position] ?? []);
		if (open.length > 0) this.questions.push({ job, people: openPeople, oneOf: left });
		job.recordResults(believed);
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
		const last = usage.requests + Math.max(50, this.plan.batches.length);
		for (const [id, questions] of groupBy(this.questions, ({ job }) => job.sessionId)) {
			if (this.publicSessions.has(id)) continue;
			await this.answerQuestions(id, questions, last - usage.requests, parts, meter);
		}
		const [only, ...more] = groupBy(this.toldByWords, ({ job }) => job.sessionId);
		if (!only || more.length > 0 || this.publicSessions.has(only[0])) return;
		await this.answerQuestions(only[0], only[1], 1, parts, meter);
	}

	/** One outcome for each person, in the order of the input. */
	all(): Outcome[] {
		const notAwaited: Outcome = { status: 'unknown', errors: [ownReason('not_awaited')] };
		return this.outcomes.map((outcome) => outcome ?? notAwaited);
	}

	private recordResult(job: Job, index: number, result: TaskResult | undefined): void {
		if (!result || this.outcomes[index]) return;
		this.outcomes[index] = outcomeOfResult(job, result);
		const question = { job, people: [index], oneOf: [result] };
		const isLost = job.lostAt !== undefined && result.status === 'already_registered';
		if (isLost) this.questions.push(question);
		else if (result.byWords) this.toldByWords.push(question);
	}

	/** Replaces outcomes by what the list of the session shows, if `budget` requests are enough to read it. */
	private async answerQuestions(
		sessionId: string,
		questions: readonly OpenQuestion[],
		budget: number,
		parts: Pick<RunParts, 'clock' | 'view'>,
		meter: Meter,
	): Promise<void> {
		const emails = questions.flatMap(({ people }) => this.emailsOf(people));
		const list = await findPeople(sessionId, emails, budget, meter.askFor(sessionId), parts);
		if (!list) return;
		const { people: present, clockLead: clockLeadMs } = list;
		for (const { job, people, oneOf } of questions) {
			const ofQuestion = this.emailsOf(people);
			const results = people.length === 1 ? oneOf : concludeFromList(ofQuestion, oneOf, present);
			for (const [position, index] of people.entries()) {
				const result = results[position];
				const person = present.get(ofQuestion[position] ?? '');
				if (result) this.outcomes[index] = outcomeOfResult(job, result, { person, clockLeadMs });
			}
		}
	}

	/** A trigger that hears of the job's end may have to say whom the platform refused. */
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

/** The outcome of somebody with this result; `lookup`: once the list of who is registered was read. */
export function outcomeOfResult(
	{ id: jobId, lostAt }: Pick<Job, 'id' | 'lostAt'>,
	{ status, person, errors, byWords }: TaskResult,
	lookup?: ListLookup,
): Outcome {
	if (status !== 'already_registered') return { status, jobId, person, errors };
	const { person: listed, clockLeadMs } = lookup ?? {};
	const shown: Outcome = { status, jobId, person: listed?.person, errors };
	// They are not on the list, and words alone have said that they are.
	if (lookup && !listed && byWords) return { ...shown, status: 'failed' };
	if (lostAt === undefined) return shown;
	// By an earlier attempt whose answer got lost: the record is younger than it.
	const isByThisRun =
		listed && clockLeadMs !== undefined && isRegisteredSince(listed, lostAt + clockLeadMs);
	if (isByThisRun) return { ...shown, status: 'registered', errors: [] };
	const isByAnother = listed?.registeredAt !== undefined && clockLeadMs !== undefined;
	return isByAnother ? shown : { ...shown, errors: [...errors, ownReason('answer_lost')] };
}
