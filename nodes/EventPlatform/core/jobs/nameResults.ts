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
	const emails = sentEmails.map(sameAddress);
	const { results, open, unassigned } = assign(emails, finished, { succeeded, sentByOthers });
	if (open.length > 0) {
		const openEmails = open.map((position) => emails[position] ?? '');
		// A question that cannot be answered stays open, because the results are shown without it too.
		const listed = await findPeople(sessionId, openEmails, mostRequests, ask).catch(() => {});
		const openResults = listed ? concludeFromList(openEmails, unassigned, listed.people) : [];
		for (const [index, position] of open.entries()) results[position] = openResults[index];
	}
	// A result that was concluded from several results of the same status stands in place of any of them.
	const concluded = results.flatMap((result, position) =>
		result && !finished.includes(result) ? { ...result, email: sentEmails[position] } : [],
	);
	return resultsOfTasks.map((result) => {
		const position = result ? results.indexOf(result) : -1;
		if (result && position >= 0) return { ...result, email: sentEmails[position] };
		const concludedIndex = concluded.findIndex(({ status }) => status === result?.status);
		return concludedIndex < 0 ? result : concluded.splice(concludedIndex, 1)[0];
	});
}
