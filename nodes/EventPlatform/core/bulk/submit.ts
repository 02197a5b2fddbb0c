import type { Ask, ApiRequest } from '../client/request';
import { pathTo } from '../client/path';
import { expectJob, type JobState } from '../jobs/jobState';
import { asTask } from '../people/registration';
import type { Row } from '../people/row';
import type { JsonObject } from '../values/json';
import type { Batch } from './batch';

export async function submit(
	{ sessionId, people }: Batch,
	all: readonly Row[],
	ask: Ask,
): Promise<JobState> {
	const tasks = people.flatMap((index) => all[index]?.registration ?? []).map(asTask);
	const request: ApiRequest = {
		method: 'POST',
		path: pathTo`/sessions/${sessionId}/people/bulk`,
		body: { data: { type: 'jobs', attributes: { tasks } } } satisfies JsonObject,
		// Section 4: only here JSON:API's own type.
		contentType: 'application/vnd.api+json',
	};
	// Repeating is left to the run: it has to know what may have arrived. And a 2xx without a job may
	// be one that nobody can ask about.
	return expectJob(request, await ask(request));
}
