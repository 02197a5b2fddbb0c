import { assign } from '../bulk/assign';
import { conclude } from '../bulk/presence';
import type { Ask } from '../http/ports';
import { sameAddress } from '../jobs/address';
import type { TaskResult } from '../jobs/taskResult';
import type { JobPeople } from './jobPeople';
import { SessionPeople } from '../sessions/sessionPeople';

/** What asking who is registered may cost for one job. */
const mostRequests = 10;

/**
 * The results of a job with the address of each person, as it was sent, where that can be told: by the
 * person record, by place, by elimination, or by who is registered. What is not certain has none.
 */
export async function nameResults(
	given: readonly TaskResult[],
	{ sessionId, emails: sent }: JobPeople,
	ask: Ask,
	/** As the job itself counts. */
	succeeded?: number,
): Promise<TaskResult[]> {
	const emails = sent.map(sameAddress);
	const good = given.filter(({ status }) => status === 'registered').length;
	const isOfThese = ({ email }: TaskResult) => email === undefined || emails.includes(email);
	const fits =
		given.length === emails.length && (succeeded ?? good) === good && given.every(isOfThese);
	const { results, left } = assign(emails, given, undefined, { onlyByEmail: !fits });
	const open = [...results.keys()].filter((place) => results[place] === undefined);
	if (fits && open.length > 0) {
		const question = { emails: open.map((place) => emails[place] ?? ''), oneOf: left };
		// What cannot be found out stays open.
		const session = new SessionPeople(sessionId, ask);
		const present = await session.find(question.emails, mostRequests).catch(() => {});
		const found = present ? conclude(question, present) : [];
		for (const [index, place] of open.entries()) results[place] = found[index];
	}
	return inPlaces(given, sent, results);
}

/** In the order of the platform. What stands for several alike takes the place of any of them. */
function inPlaces(
	given: readonly TaskResult[],
	emails: readonly string[],
	results: ReadonlyArray<TaskResult | undefined>,
): TaskResult[] {
	const named: Array<TaskResult | undefined> = given.map((result) => {
		const place = results.indexOf(result);
		return place < 0 ? undefined : { ...result, email: emails[place] };
	});
	for (const [place, result] of results.entries()) {
		if (result === undefined || given.includes(result)) continue;
		const free = given.findIndex(
			(one, index) => named[index] === undefined && one.status === result.status,
		);
		if (free >= 0) named[free] = { ...result, email: emails[place] };
	}
	return given.map((result, index) => named[index] ?? result);
}
