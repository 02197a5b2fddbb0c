import type { Ask } from '../client/request';
import { sameAddress } from '../people/address';
import { findPeople } from '../people/findPeople';
import { assign, concludeFromList } from './assign';
import type { JobPeople } from './jobPeople';
import type { TaskResult } from './taskResult';

/** Asking who is registered may cost at most so many requests for one job. */
const mostRequests = 10;

/** Gives the results of a job, each with the address of its person, as it was sent, where that can be told for certain. */
export async function nameResults(
	resultsOfTasks: ReadonlyArray<TaskResult | undefined>,
	{ sessionId, emails: sentEmails, sentByOthers }: JobPeople,
	ask: Ask,
	succeeded?: number,
): Promise<Array<TaskResult | undefined>> {
	const finished = resultsOfTasks.filter((result) => result !== undefined);
	const people = sentEmails.map((email) => ({ email, address: sameAddress(email) }));
	const { results, open, unassigned } = assign(people, finished, { succeeded, sentByOthers });
	if (open.length > 0) {
		const addresses = open.map(({ address }) => address);
		// A question that cannot be answered stays open, because the results are shown without it too.
		const listed = await findPeople(sessionId, addresses, mostRequests, ask).catch(() => {});
		const concluded = listed ? concludeFromList(open, unassigned, listed.people) : [];
		for (const [person, result] of concluded) results.set(person, result);
	}
	const named = [...results].map(([{ email }, result]) => ({ ...result, email, of: result }));
	const byTask = new Map(named.map(({ of, ...result }) => [of, result]));
	// A result that was concluded from several results of the same status stands in place of any of them.
	const concluded = named.flatMap(({ of, ...result }) => (finished.includes(of) ? [] : result));
	return resultsOfTasks.map((result) => {
		const own = result && byTask.get(result);
		if (own) return own;
		const concludedIndex = concluded.findIndex(({ status }) => status === result?.status);
		return concludedIndex < 0 ? result : concluded.splice(concludedIndex, 1)[0];
	});
}
