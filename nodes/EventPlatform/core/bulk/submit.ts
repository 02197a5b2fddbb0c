import type { Ask, ApiRequest } from '../client/request';
import { pathTo } from '../client/path';
import { expectJob } from '../jobs/jobState';
import { type JobState } from '../dialect/jobs';
import { asTask, type Row } from '../people/registration';
import type { JsonObject } from '../values/json';

/** Sends people of one session as one job. */
export async function submit(
	sessionId: string,
	people: readonly Row[],
	ask: Ask,
): Promise<JobState> {
	const tasks = people.map(({ registration }) => asTask(registration));
	const request: ApiRequest = {
		method: 'POST',
		path: pathTo`/sessions/${sessionId}/people/bulk`,
		body: { data: { type: 'jobs', attributes: { tasks } } } satisfies JsonObject,
		// Section 4 asks for JSON:API's own type here, and nowhere else.
		contentType: 'application/vnd.api+json',
	};
	// The run repeats it, because it has to know what may have arrived. A 2xx without a job may stand for one that
	// nobody can ask about.
	return expectJob(request, await ask(request));
}
