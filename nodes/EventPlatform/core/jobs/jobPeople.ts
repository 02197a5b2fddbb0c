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
