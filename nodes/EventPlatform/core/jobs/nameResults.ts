import type { Ask } from '../client/request';
import { sameAddress } from '../people/address';
import { findPeople } from '../people/findPeople';
import { assign, concludeFromList } from './assign';
import type { JobPeople } from './jobPeople';
import type { TaskResult } from './taskResult';

/** Asking who is registered may cost so many requests for one job. */
const mostRequests = 10;

/** The results of a job with the address of each person, as it was sent, where that can be told for certain. */
export async function nameResults(
	read: ReadonlyArray<TaskResult | undefined>,
	{ sessionId, emails: sent, sentByOthers }: JobPeople,
	ask: Ask,
	succeeded?: number,
): Promise<Array<TaskResult | undefined>> {
	const finished = read.filter((result) => result !== undefined);
	const emails = sent.map(sameAddress);
	const { results, open, left } = assign(emails, finished, { succeeded, sentByOthers });
	if (open.length > 0) {
		const openEmails = open.map((position) => emails[position] ?? '');
		// A question that cannot be answered stays open, because the results are shown without it too.
		const listed = await findPeople(sessionId, openEmails, mostRequests, ask).catch(() => {});
		const concluded = listed ? concludeFromList(openEmails, left, listed.people) : [];
		for (const [index, position] of open.entries()) results[position] = concluded[index];
	}
	// A conclusion from several results alike stands in place of any of them.
	const concluded = results.flatMap((result, position) =>
		result && !finished.includes(result) ? { ...result, email: sent[position] } : [],
	);
	return read.map((result) => {
		const position = result ? results.indexOf(result) : -1;
		if (result && position >= 0) return { ...result, email: sent[position] };
		const alike = concluded.findIndex(({ status }) => status === result?.status);
		return alike < 0 ? result : concluded.splice(alike, 1)[0];
	});
}
