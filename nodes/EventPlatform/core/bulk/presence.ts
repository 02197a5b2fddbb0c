import { readPage } from '../http/jsonApi';
import { mapConcurrently } from '../http/mapConcurrently';
import type { ApiRequest, Ask, JsonObject } from '../http/ports';
import { largestPage } from '../http/paginate';
import { pathTo } from '../http/path';
import { fieldsOf, showAll, type Show } from '../http/simplify';
import { commonFate, sameAddress, statusOf, type TaskResult } from '../jobs/taskResult';
import type { OpenQuestion } from './outcomes';
import type { RunState } from './state';

/** Up to so many people are asked for one by one before the list is looked at. */
const fewPeople = 10;
/** Requests side by side. */
const abreast = 8;

/**
 * Asks who is registered where the results did not say whose they are. It costs at most half as
 * many requests as the plan, or fifty; what it does not find out stays unknown.
 */
export async function askWhoIsThere(run: RunState): Promise<void> {
	const { outcomes, plan, parts } = run;
	const { usage } = parts.api;
	const last = usage.requests + Math.max(50, plan.chunks.length);
	for (const [sessionId, questions] of outcomes.openQuestions()) {
		const emails = questions.flatMap((question) => question.emails);
		const ask = run.askFor(sessionId);
		const present = await whoIsThere(sessionId, emails, ask, last - usage.requests, parts.show);
		if (!present) continue;
		for (const question of questions) outcomes.answer(question, conclude(question, present));
	}
}

/** Who is registered for a session, of those that are asked about: what is shown of the records. */
type Presence = Map<string, JsonObject>;

/**
 * Finds out whose results are whose by asking who is registered: person by person, or the whole
 * list where that costs less. At most `budget` requests; undefined when they are not enough.
 */
export async function whoIsThere(
	sessionId: string,
	emails: readonly string[],
	ask: Ask,
	budget: number,
	show: Show = showAll,
): Promise<Presence | undefined> {
	const path = pathTo`/sessions/${sessionId}/people`;
	const found: Presence = new Map();
	async function read(query: ApiRequest['query']) {
		const request: ApiRequest = { method: 'GET', path, query };
		const page = readPage(request, await ask(request));
		for (const record of page.records) {
			const fields = fieldsOf(record);
			const email = fields.get('email');
			if (typeof email === 'string') found.set(sameAddress(email), show(fields));
		}
		return page.meta;
	}
	const page = (number: number) => ({ 'page[number]': number, 'page[size]': largestPage });
	let left = budget;
	if (emails.length > fewPeople && budget > 1) {
		const { lastPage = Infinity } = (await read(page(0))) ?? {};
		left -= 1;
		if (lastPage <= Math.min(left, emails.length)) {
			await mapConcurrently(lastPage, abreast, (index) => read(page(index + 1)));
			return found;
		}
	}
	if (emails.length > left) return undefined;
	await mapConcurrently(emails.length, abreast, (index) =>
		read({ 'filter[email]': emails[index] ?? '' }),
	);
	return found;
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
	const good = oneOf.filter((result) => statusOf(result) !== 'failed');
	const there = emails.filter((email) => present.has(email));
	if (oneOf.length !== emails.length || there.length !== good.length) return open;
	const goodFate = commonFate(good);
	const badFate = commonFate(oneOf.filter((result) => statusOf(result) === 'failed'));
	return emails.map((email) => {
		const person = present.get(email);
		return person ? goodFate && { ...goodFate, person } : badFate;
	});
}
