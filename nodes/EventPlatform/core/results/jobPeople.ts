import { keepLatest } from '../http/keepLatest';

/** Whom a job is for, as its request named them. */
export interface JobPeople {
	sessionId: string;
	/** In the order of its tasks. */
	emails: readonly string[];
}

/** About 5 MB, when each has fifty people. */
const mostJobs = 1_000;

/**
 * The platform does not say whom it refused; the process that started the job can. Nothing of it is
 * stored, because what is stored with a workflow leaves n8n when that is exported.
 */
const known = new Map<string, JobPeople | undefined>();

export function rememberPeople(apiRoot: string, jobId: string, people: JobPeople): void {
	const key = `${apiRoot} ${jobId}`;
	// The same id for two requests: nobody knows whose results it has.
	known.set(key, known.has(key) ? undefined : people);
	keepLatest(known, mostJobs);
}

export function peopleOfJob(apiRoot: string, jobId: string): JobPeople | undefined {
	return known.get(`${apiRoot} ${jobId}`);
}
