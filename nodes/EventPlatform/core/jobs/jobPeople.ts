import { keepLatest } from '../values/collections';

/** The people of a job, as its request named them. */
export interface JobPeople {
	/** The session that they were to be registered for. */
	sessionId: string;
	/** The addresses, in the order of the tasks of the job. */
	emails: readonly string[];
	/** The addresses that other jobs sent, as `addressesSentByOthers` gives them; absent where there are none. */
	sentByOthers?: ReadonlySet<string>;
}

/** About 5 MB, when each has fifty people. */
const mostJobs = 1_000;

/** The platform does not say whom it refused. Not stored: what is stored with a workflow leaves n8n with an export. */
const peopleOfJobs = new Map<string, JobPeople | undefined>();

export function rememberPeople(apiRoot: string, jobId: string, people: JobPeople): void {
	const key = `${apiRoot} ${jobId}`;
	// The same id for two requests: nobody knows whose results it has.
	peopleOfJobs.set(key, peopleOfJobs.has(key) ? undefined : people);
	keepLatest(peopleOfJobs, mostJobs);
}

export function peopleOfJob(apiRoot: string, jobId: string): JobPeople | undefined {
	return peopleOfJobs.get(`${apiRoot} ${jobId}`);
}
