import type { Ask } from '../client/request';
import { sameAddress } from '../people/address';
import { findPeople } from '../people/findPeople';
import { assign, concludeFromList } from './assign';
import type { TaskResult } from './taskResult';
import { ProcessMap } from '../values/processState';

/** The people of a job, as its request named them. */
export interface JobPeople {
	/** The session that they were to be registered for. */
	sessionId: string;
	/** The addresses, in the order of the tasks of the job. */
	emails: readonly string[];
	/** The addresses that other jobs sent, as `addressesSentByOthers` gives them; absent where there are none. */
	sentByOthers?: ReadonlySet<string>;
}

/**
 * The people of the latest jobs, by platform and job, because the platform does not say whom it refused. They are not stored,
 * because what is stored with a workflow leaves n8n with an export. Undefined: the same id stands for two jobs.
 */
const peopleOfJobs = new ProcessMap<JobPeople | undefined>('peopleOfJobs');

/** Remembers the people of a job, as long as the process runs and not too many jobs have come since. */
export function rememberPeople(apiRoot: string, jobId: string, people: JobPeople): void {
	const key = `${apiRoot} ${jobId}`;
	// Where the platform gives the same id to two jobs, nobody knows whose results it stands for.
	peopleOfJobs.set(key, peopleOfJobs.has(key) ? undefined : people);
}

/** Gives the people of a job; undefined where this process does not know them. */
export function peopleOfJob(apiRoot: string, jobId: string): JobPeople | undefined {
	return peopleOfJobs.get(`${apiRoot} ${jobId}`);
}

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
