import { readJob, type JobState } from '../jobs/jobState';
import { Failure, type Cause } from '../http/failure';
import type { Answer, ApiRequest, JsonObject } from '../http/ports';
import { pathTo } from '../http/path';
import type { Candidate } from './person';
import type { Chunk } from './plan';
import type { Sender } from './sender';

/** What came of sending one request, and what it means for the people in it. */
export type Submitted =
	| { job: JobState }
	/** Refused as a whole: nobody was registered, and one of them is the reason. */
	| { refused: Failure }
	/** Nobody knows whether there is a job now: sending again does no harm. */
	| { open: Failure }
	/** The platform certainly did not act, and may next time. */
	| { unsent: Failure }
	/** It makes no sense to send more, for this session or at all. */
	| { stop: Failure; everywhere: boolean };

export async function submit(
	{ sessionId, people }: Chunk,
	candidates: readonly Candidate[],
	api: Sender,
	deadline?: number,
): Promise<Submitted> {
	const tasks = people.map((index) => candidates[index]?.task).filter((task) => task !== undefined);
	const request: ApiRequest = {
		method: 'POST',
		path: pathTo`/sessions/${sessionId}/people/bulk`,
		body: { data: { type: 'jobs', attributes: { tasks } } } satisfies JsonObject,
		// Section 4: only here JSON:API's own type.
		contentType: 'application/vnd.api+json',
		deadline,
	};
	// Repeating is left to the run: it has to know what may have arrived.
	return await api(request).then(
		(answer) => readAnswer(request, answer),
		(error: unknown) => {
			if (error instanceof Failure) return meaning[error.reason](error);
			throw error;
		},
	);
}

/** Accepted is accepted, even where the answer does not name the job. */
function readAnswer(request: ApiRequest, answer: Answer): Submitted {
	const job = readJob(answer.body);
	return job ? { job } : open(new Failure('unexpected_shape', request, { status: answer.status }));
}

const refused = (failure: Failure): Submitted => ({ refused: failure });
const open = (failure: Failure): Submitted => ({ open: failure });
const unsent = (failure: Failure): Submitted => ({ unsent: failure });
const stop = (failure: Failure): Submitted => ({ stop: failure, everywhere: true });

const meaning: Record<Cause, (failure: Failure) => Submitted> = {
	refused,
	unprocessable: refused,
	already_exists: refused,
	page_out_of_range: refused,
	platform_error: open,
	unconfirmed: open,
	not_json: open,
	unexpected_shape: open,
	unreachable: unsent,
	rate_limited: unsent,
	not_found: (failure) => ({ stop: failure, everywhere: false }),
	unauthorized: stop,
	reconnect: stop,
	missing_scope: stop,
	workspace_blocked: stop,
	forbidden: stop,
	allowance_spent: stop,
	quota_spent: stop,
	time_over: stop,
};
