import type { Ask, ApiRequest } from '../client/request';
import { pathTo } from '../client/path';
import { expectJob } from './jobState';
import { type JobState } from '../dialect/jobs';
import { asTask, type Registration, type TaskVariant } from '../people/registration';
import type { JsonObject } from '../values/json';

/** Sends people of one session in one request, written in this variant. Gives the job that the platform has made of it. */
export async function submit(
	sessionId: string,
	people: readonly Registration[],
	variant: TaskVariant,
	ask: Ask,
): Promise<JobState> {
	const tasks = people.map((registration) => asTask(registration, variant));
	const request: ApiRequest = {
		method: 'POST',
		path: pathTo`/sessions/${sessionId}/people/bulk`,
		body: { data: { type: 'jobs', attributes: { tasks } } } satisfies JsonObject,
		// Section 4 asks for JSON:API's own type here, and nowhere else.
		contentType: 'application/vnd.api+json',
	};
	// Only the run repeats a request that may have arrived, because it has to know about that. A 2xx without a job may stand for
	// a job that nobody can ask about.
	return expectJob(request, await ask(request));
}
