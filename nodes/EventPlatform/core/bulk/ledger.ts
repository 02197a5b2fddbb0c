import { groupBy } from '../http/collections';
import { sameAddress } from '../jobs/address';
import type { TaskResult } from '../jobs/task';
import { isRegisteredSince, SessionPeople, type Registrant } from '../sessions/sessionPeople';
import { assign, conclude } from './assign';
import type { Job } from './job';
import { answerLost, leftOpen, notAwaited, type PersonOutcome } from './outcome';
import type { Plan, RunParts } from './plan';
import type { Meter } from './report';

/** People of a job of whom the results leave something open that the list of who is registered may show. */
interface OpenQuestion {
	readonly job: Job;
	/** By their place in the input. */
	readonly people: readonly number[];
	/** Theirs, in whatever order; as many as there are people, or some are missing. */
	readonly oneOf: readonly TaskResult[];
}

/** Owns what became of each person. The first outcome of a person stays. */
export class Ledger {
	readonly jobs: Job[] = [];
	readonly questions: OpenQuestion[] = [];
	private readonly known: Array<PersonOutcome | undefined>;
	private order = 0;

	constructor(
		private readonly plan: Plan,
		private readonly onJob?: RunParts['onJob'],
	) {
		this.known = [...plan.outcomes];
	}

	accepted(job: Job): void {
		this.jobs.push(job);
		this.onJob?.(job);
	}

	close(job: Job, given: readonly TaskResult[]): void {
		const twins = this.jobs.filter(({ id }) => id === job.id);
		// An address names a person within one session only.
		const believed = twins.every(({ sessionId }) => sessionId === job.sessionId) ? given : [];
		const { results, left, order, isContradicted } = assign(this.emailsOf(job.people), believed, {
			order: this.order,
			succeeded: job.final?.succeeded,
			isOfOthersToo: twins.length > 1,
		});
		this.order = order;
		for (const [place, index] of job.people.entries()) {
			const result = results[place];
			if (!result || this.known[index]) continue;
			this.known[index] = settled(job, result);
			const isLost = job.lostAt !== undefined && result.status === 'already_registered';
			if (isLost || result.byWords) this.questions.push({ job, people: [index], oneOf: [result] });
		}
		const open = job.people.filter((_, place) => results[place] === undefined);
		this.settle(open, leftOpen(left, isContradicted, job.id));
		if (!isContradicted && left.length > 0) this.questions.push({ job, people: open, oneOf: left });
		job.close(believed);
	}

	/** The same for all of them, as far as they have no outcome yet. */
	settle(people: readonly number[], outcome: PersonOutcome): void {
		for (const index of people) this.known[index] ??= outcome;
	}

	/**
	 * Asks who is registered where the results did not say whose they are, or whether it was by this run, for
	 * at most half as many requests as the plan, or fifty; where only words say that somebody is registered,
	 * for one in the whole run. What it does not find out stays as it is.
	 */
	async askWhoIsThere(
		parts: Pick<RunParts, 'api' | 'clock' | 'show'>,
		meter: Meter,
	): Promise<void> {
		const { usage } = parts.api;
		const last = usage.requests + Math.max(50, this.plan.chunks.length);
		const ask = (id: string, questions: readonly OpenQuestion[], most: number) =>
			this.ask(new SessionPeople(id, meter.askFor(id), parts), questions, most);
		const sessionOf = ({ job }: OpenQuestion) => job.sessionId;
		const questions = groupBy(this.questions.filter(isWorthItself), sessionOf);
		for (const [id, open] of questions) await ask(id, open, last - usage.requests);
		const others = this.questions.filter((question) => !isWorthItself(question));
		const [byWords, ...more] = groupBy(others, sessionOf);
		if (byWords && more.length === 0) await ask(...byWords, 1);
	}

	/** What it finds out replaces what was said of them before. */
	private async ask(session: SessionPeople, questions: readonly OpenQuestion[], most: number) {
		const wanted = questions.flatMap(({ people }) => this.emailsOf(people));
		const present = await session.find(wanted, most);
		if (!present) return;
		for (const { job, people, oneOf } of questions) {
			const emails = this.emailsOf(people);
			const results = people.length === 1 ? oneOf : conclude(emails, oneOf, present);
			for (const [place, index] of people.entries()) {
				const result = results[place];
				const there = present.get(emails[place] ?? '');
				const { clockLead } = session;
				if (result) this.known[index] = settled(job, result, { there, clockLead });
			}
		}
	}

	all(): PersonOutcome[] {
		return this.known.map((outcome) => outcome ?? notAwaited);
	}

	private emailsOf(people: readonly number[]): string[] {
		return people.map((index) => sameAddress(this.plan.people[index]?.email ?? ''));
	}
}

/** Else words alone have said that somebody is registered already, and nothing speaks against it. */
function isWorthItself({ job, people }: OpenQuestion): boolean {
	return job.lostAt !== undefined || people.length > 1;
}

/** What is true of somebody; `asked`: once it is known who is there. */
export function settled(
	{ id: jobId, lostAt }: Pick<Job, 'id' | 'lostAt'>,
	{ status, person, errors, byWords }: TaskResult,
	asked?: { there?: Registrant; clockLead?: number },
): PersonOutcome {
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
	return isByAnother ? shown : { ...shown, errors: [...errors, answerLost] };
}
