import { groupBy } from '../http/collections';
import { commonFate, type TaskResult } from '../jobs/task';
import {
	isRegisteredSince,
	SessionPeople,
	type Presence,
	type Registrant,
} from '../sessions/sessionPeople';
import type { Doubt, Ledger, OpenQuestion } from './ledger';
import type { Plan } from './plan';
import type { Api, Ask, Clock } from '../http/ports';
import type { Show } from '../records/simplify';
import { outcomeOf, perhapsByThisRun, type Outcome } from './outcome';

interface Asking {
	outcomes: Ledger;
	plan: Pick<Plan, 'chunks'>;
	parts: { api: Api; clock: Clock; show?: Show };
	askFor(sessionId: string): Ask;
}

/**
 * Asks who is registered where the results did not say whose they are, or whether somebody was
 * registered by this run. It costs at most half as many requests as the plan, or fifty. Where words
 * alone say that somebody is registered, it costs one for the whole run. What it does not find out
 * stays as it is.
 */
export async function askWhoIsThere(run: Asking): Promise<void> {
	const { outcomes, plan, parts } = run;
	const { usage } = parts.api;
	const last = usage.requests + Math.max(50, plan.chunks.length);
	const questions = outcomes.openQuestions();
	const lost = [...outcomes.openDoubts().values()]
		.flat()
		.filter(({ job }) => job.lostAt !== undefined);
	const lostOf = groupBy(lost, ({ job }) => job.sessionId);
	for (const sessionId of new Set([...questions.keys(), ...lostOf.keys()])) {
		const open = questions.get(sessionId) ?? [];
		const doubts = lostOf.get(sessionId) ?? [];
		const emails = [
			...open.flatMap((question) => question.emails),
			...doubts.map(({ email }) => email),
		];
		const session = new SessionPeople(sessionId, run.askFor(sessionId), parts);
		const present = await session.find(emails, last - usage.requests);
		if (!present) continue;
		for (const question of open) outcomes.answer(question, conclude(question, present));
		for (const doubt of doubts) {
			outcomes.resolve(doubt, withoutDoubt(doubt, present.get(doubt.email), session.clockLead));
		}
	}
	await askByWords(run);
}

/** Those of whom words alone say that they are registered: one request, where one can be enough. */
async function askByWords(run: Asking): Promise<void> {
	const { outcomes, parts } = run;
	const [[sessionId, doubts] = ['', []], ...others] = outcomes.openDoubts();
	if (doubts.length === 0 || others.length > 0) return;
	const session = new SessionPeople(sessionId, run.askFor(sessionId), parts);
	const emails = doubts.map(({ email }) => email);
	const present =
		emails.length > 1 ? await session.findOnFirstPage(emails) : await session.find(emails, 1);
	for (const doubt of present ? doubts : []) {
		outcomes.resolve(doubt, withoutDoubt(doubt, present?.get(doubt.email), session.clockLead));
	}
}

/**
 * What is true of somebody registered already, once it is known who is there. By this run where an
 * answer got lost and the record is younger than the request.
 */
export function withoutDoubt(
	{ job, result }: Pick<Doubt, 'job' | 'result'>,
	there: Registrant | undefined,
	clockLead?: number,
): Outcome {
	const outcome = { ...outcomeOf(result, job.id), person: there?.person };
	// They are not on the list, and words alone have said that they are.
	if (!there && result.byWords) return { ...outcome, status: 'failed' };
	if (job.lostAt === undefined) return outcome;
	if (!there || clockLead === undefined) return perhapsByThisRun(outcome);
	if (isRegisteredSince(there, job.lostAt + clockLead)) {
		return { ...outcome, status: 'registered', errors: [] };
	}
	return there.registeredAt === undefined ? perhapsByThisRun(outcome) : outcome;
}

/**
 * The results of the people in question. Who is there was registered, who is not has failed, as
 * long as the platform's list has as many of them as the results say; else nothing is concluded.
 */
export function conclude(
	{ emails, oneOf }: Pick<OpenQuestion, 'emails' | 'oneOf'>,
	present: Presence,
): Array<TaskResult | undefined> {
	const open = emails.map(() => undefined);
	const good = oneOf.filter(({ status }) => status !== 'failed');
	const found = emails.filter((email) => present.has(email));
	if (oneOf.length !== emails.length || found.length !== good.length) return open;
	const goodFate = commonFate(good);
	const badFate = commonFate(oneOf.filter(({ status }) => status === 'failed'));
	return emails.map((email) => {
		const there = present.get(email);
		return there ? goodFate && { ...goodFate, person: there.person } : badFate;
	});
}
