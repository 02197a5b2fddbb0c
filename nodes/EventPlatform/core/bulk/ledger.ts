import { groupBy } from '../values/collections';
import { isGeneratedAddress, sameAddress } from '../people/address';
import { rememberPeople, type JobPeople } from '../jobs/jobPeople';
import type { TaskResult } from '../jobs/taskResult';
import { otherValuesOf } from '../people/registration';
import { findPeople, isRegisteredSince, type ListedPerson } from '../people/findPeople';
import {
	addressesSentByOthers,
	assign,
	concludeFromList,
	outcomeLeftOpen,
	type SentPerson,
} from '../jobs/assign';
import type { Job } from './job';
import type { Mechanism } from './mechanism';
import { ownReason, type Outcome } from '../people/outcome';
import type { Plan } from './plan';
import type { RunParts } from './runContext';
import type { Row } from '../people/row';
import type { Meter } from './meter';

/** People of a job of whom the results leave something open that the list of who is registered may show. */
interface OpenQuestion {
	readonly job: Job;
	/** By their index in the input. */
	readonly people: readonly number[];
	/** Theirs, in whatever order. */
	readonly oneOf: TaskResult[];
}

/** Owns what became of each person. The first outcome of a person stays. */
export function createLedger(plan: Plan, apiRoot?: string, without?: Mechanism) {
	const known = [...plan.outcomes];
	const jobs: Job[] = [];
	/** By the id of a job: of each time that the platform gave it. */
	const sessionsOf = new Map<string, string[]>();
	const questions: OpenQuestion[] = [];
	/** Words alone have said that somebody is registered already, and nothing speaks against it. */
	const byWords: OpenQuestion[] = [];
	/** Sessions whose records show emails that the platform has made up: nobody can be looked for there. */
	const publicSessions = new Set<string>();
	let order = 0;

	function recordJob(job: Job): void {
		jobs.push(job);
		sessionsOf.set(job.id, [...(sessionsOf.get(job.id) ?? []), job.sessionId]);
		if (apiRoot !== undefined) rememberPeople(apiRoot, job.id, peopleOf(job));
	}

	/** A trigger that hears of the job's end may have to say whom the platform refused. */
	function peopleOf({ sessionId, people }: Job): JobPeople {
		const sent = people.flatMap((index) => plan.people[index] ?? []);
		const emails = sent.map(({ email = '' }) => email);
		const shared = addressesSentByOthers(sent.map(sentPersonOf));
		return { sessionId, emails, sentByOthers: shared.size > 0 ? shared : undefined };
	}

	function recordResults(job: Job, given: TaskResult[]): void {
		const { people, sessionId, lostAt } = job;
		const sessions = sessionsOf.get(job.id) ?? [];
		// An address names a person within one session only.
		const believed = sessions.every((one) => one === sessionId) ? given : [];
		const isOfOthersToo = sessions.length > 1;
		const isReplaced = ({ email = '' }: TaskResult) => isGeneratedAddress(email);
		if (believed.some(isReplaced)) publicSessions.add(sessionId);
		const sentByOthers = believed.some(({ mentions }) => mentions)
			? addressesSentByOthers(people.flatMap((index) => plan.people[index] ?? []).map(sentPersonOf))
			: undefined;
		const found = {
			order,
			succeeded: job.final?.succeeded,
			isOfOthersToo,
			sentByOthers,
			mayProveOrder: without !== 'orderProof',
		};
		const assigned = assign(emailsOf(people), believed, found);
		const { results, open, left, isContradicted } = assigned;
		order = assigned.order;
		for (const [position, index] of people.entries()) {
			const result = results[position];
			if (!result || known[index]) continue;
			known[index] = outcomeOfResult(job, result);
			const question = { job, people: [index], oneOf: [result] };
			const isLost = lostAt !== undefined && result.status === 'already_registered';
			if (isLost) questions.push(question);
			else if (result.byWords) byWords.push(question);
		}
		recordOutcome(people, outcomeLeftOpen(left, isContradicted, job.id));
		const oneOfThem = open.flatMap((position) => people[position] ?? []);
		if (open.length > 0) questions.push({ job, people: oneOfThem, oneOf: left });
		job.recordResults(believed);
	}

	/** The same for all of them, as far as they have no outcome yet. */
	function recordOutcome(people: readonly number[], outcome: Outcome): void {
		for (const index of people) known[index] ??= outcome;
	}

	/**
	 * Asks who is registered where the results did not say whose they are, or whether it was by this run, for
	 * at most half as many requests as the plan, or fifty; where only words say that somebody is registered,
	 * for one in the whole run. What it does not find out stays as it is.
	 */
	async function findOutWhoIsRegistered(
		parts: Pick<RunParts, 'api' | 'clock' | 'view'>,
		meter: Meter,
	) {
		const { usage } = parts.api;
		const last = usage.requests + Math.max(50, plan.batches.length);
		/** What it finds out replaces what was said of them before. */
		const ask = async (id: string, some: readonly OpenQuestion[], most: number) => {
			const wanted = some.flatMap(({ people }) => emailsOf(people));
			const found = await findPeople(id, wanted, most, meter.askFor(id), parts);
			if (!found) return;
			const { people: present, clockLead } = found;
			for (const { job, people, oneOf } of some) {
				const emails = emailsOf(people);
				const results = people.length === 1 ? oneOf : concludeFromList(emails, oneOf, present);
				for (const [position, index] of people.entries()) {
					const result = results[position];
					const there = present.get(emails[position] ?? '');
					if (result) known[index] = outcomeOfResult(job, result, { there, clockLead });
				}
			}
		};
		for (const [id, some] of groupBy(questions, ({ job }) => job.sessionId)) {
			if (publicSessions.has(id)) continue;
			await ask(id, some, last - usage.requests);
		}
		const [only, ...more] = groupBy(byWords, ({ job }) => job.sessionId);
		if (only && more.length === 0 && !publicSessions.has(only[0])) await ask(...only, 1);
	}

	function all(): Outcome[] {
		const notAwaited: Outcome = { status: 'unknown', errors: [ownReason('not_awaited')] };
		return known.map((outcome) => outcome ?? notAwaited);
	}

	function emailsOf(people: readonly number[]): string[] {
		return people.map((index) => sameAddress(plan.people[index]?.email ?? ''));
	}

	return {
		jobs,
		questions,
		publicSessions,
		accepted: recordJob,
		close: recordResults,
		settle: recordOutcome,
		askWhoIsThere: findOutWhoIsRegistered,
		all,
	};
}

/** Names a person by what was sent. */
export function sentPersonOf({ email = '', registration: wanted }: Row): SentPerson {
	return { email: sameAddress(email), others: otherValuesOf(wanted) };
}

/** What is true of somebody; `asked`: once it is known who is there. */
export function outcomeOfResult(
	{ id: jobId, lostAt }: Pick<Job, 'id' | 'lostAt'>,
	{ status, person, errors, byWords }: TaskResult,
	asked?: { there?: ListedPerson; clockLead?: number },
): Outcome {
	if (status !== 'already_registered') return { status, jobId, person, errors };
	const { there, clockLead = NaN } = asked ?? {};
	const shown = { status, jobId, person: there?.person, errors };
	// They are not on the list, and words alone have said that they are.
	if (asked && !there && byWords) return { ...shown, status: 'failed' };
	if (lostAt === undefined) return shown;
	// By an earlier try whose answer got lost: the record is younger than it.
	const isByThisRun = there && isRegisteredSince(there, lostAt + clockLead);
	if (isByThisRun) return { ...shown, status: 'registered', errors: [] };
	const isByAnother = there?.registeredAt !== undefined && !Number.isNaN(clockLead);
	return isByAnother ? shown : { ...shown, errors: [...errors, ownReason('answer_lost')] };
}
