import { groupBy } from '../http/collections';
import type { Api, Clock } from '../http/ports';
import { commonFate, type TaskResult } from '../jobs/task';
import type { Show } from '../records/simplify';
import {
	isRegisteredSince,
	SessionPeople,
	type Presence,
	type Registrant,
} from '../sessions/sessionPeople';
import type { Job } from './job';
import type { Ledger, OpenQuestion } from './ledger';
import type { Meter } from './meter';
import { outcomeOf, perhapsByThisRun, type PersonOutcome } from './outcome';
import type { Plan } from './plan';

interface Asking {
	outcomes: Ledger;
	plan: Pick<Plan, 'chunks'>;
	parts: { api: Api; clock: Clock; show?: Show };
	meter: Meter;
}

/**
 * Asks who is registered where the results did not say whose they are, or whether somebody was
 * registered by this run. It costs at most half as many requests as the plan, or fifty. Where words
 * alone say that somebody is registered, it costs one for the whole run. What it does not find out
 * stays as it is.
 */
export async function askWhoIsThere({ outcomes, plan, parts, meter }: Asking): Promise<void> {
	const { usage } = parts.api;
	const last = usage.requests + Math.max(50, plan.chunks.length);

	async function ask(id: string, questions: readonly OpenQuestion[], most: number): Promise<void> {
		const session = new SessionPeople(id, meter.askFor(id), parts);
		const wanted = questions.flatMap(({ emails }) => emails);
		const present = await session.find(wanted, most);
		if (!present) return;
		for (const { job, people, emails, oneOf } of questions) {
			const results = people.length === 1 ? oneOf : conclude(emails, oneOf, present);
			for (const [place, index] of people.entries()) {
				const result = results[place];
				const there = present.get(emails[place] ?? '');
				if (result) outcomes.answer(index, settled(job, result, there, session.clockLead));
			}
		}
	}

	const sessionOf = ({ job }: OpenQuestion) => job.sessionId;
	const questions = groupBy(outcomes.questions.filter(isWorthItself), sessionOf);
	for (const [id, open] of questions) await ask(id, open, last - usage.requests);
	const others = outcomes.questions.filter((question) => !isWorthItself(question));
	const [byWords, ...more] = groupBy(others, sessionOf);
	if (byWords && more.length === 0) await ask(...byWords, 1);
}

/** Else words alone have said that somebody is registered already, and nothing speaks against it. */
function isWorthItself({ job, people }: OpenQuestion): boolean {
	return job.lostAt !== undefined || people.length > 1;
}

/**
 * What is true of somebody, once it is known who is there. Who was registered already was so by this run
 * where an answer got lost and the record is younger than the request.
 */
export function settled(
	job: Pick<Job, 'id' | 'lostAt'>,
	result: TaskResult,
	there: Registrant | undefined,
	clockLead?: number,
): PersonOutcome {
	const outcome = outcomeOf(result, job.id);
	if (result.status !== 'already_registered') return outcome;
	// They are not on the list, and words alone have said that they are.
	if (!there && result.byWords) return { ...outcome, status: 'failed' };
	const shown = { ...outcome, person: there?.person };
	if (job.lostAt === undefined) return shown;
	if (!there || clockLead === undefined) return perhapsByThisRun(shown);
	if (isRegisteredSince(there, job.lostAt + clockLead)) {
		return { ...shown, status: 'registered', errors: [] };
	}
	return there.registeredAt === undefined ? perhapsByThisRun(shown) : shown;
}

/**
 * The results of the people in question. Who is there was registered, who is not has failed, as
 * long as the platform's list has as many of them as the results say; else nothing is concluded.
 */
export function conclude(
	emails: readonly string[],
	oneOf: readonly TaskResult[],
	present: Presence,
): Array<TaskResult | undefined> {
	const good = oneOf.filter(({ status }) => status !== 'failed');
	const found = emails.filter((email) => present.has(email));
	if (oneOf.length !== emails.length || found.length !== good.length) return [];
	const goodFate = commonFate(good);
	const badFate = commonFate(oneOf.filter(({ status }) => status === 'failed'));
	return emails.map((email) => {
		const there = present.get(email);
		return there ? goodFate && { ...goodFate, person: there.person } : badFate;
	});
}
