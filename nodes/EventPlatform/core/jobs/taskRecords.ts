import { Failure } from '../client/failure';
import type { JsonObject } from '../values/json';
import type { ListOptions } from '../client/pages';
import type { Ask } from '../client/request';
import type { RecordView } from '../records/recordView';
import { sameAddress } from '../people/address';
import type { JobState } from '../dialect/jobs';
import { readTaskResult, type TaskResult } from './taskResult';
import { TaskReader } from './taskReader';
import { reasonOf } from '../people/reason';
import { upTo } from '../values/collections';
import { peopleOfJob, type JobPeople } from './jobPeople';
import { nameResults } from './nameResults';

/** Where the tasks of a job are read, and how many are wanted at most. */
export interface TaskSource extends Pick<ListOptions, 'limit' | 'signal'> {
	/** Sends the requests. */
	api: Ask;
	/** The address of the platform, by which the people of a job are remembered. */
	apiRoot: string;
}

/** A task, and what it says of its person. */
interface PersonOfJob {
	/** The task as the platform sent it; `unknown` in place of one that it does not show yet. */
	task: JsonObject;
	/** The record as workflows see it. */
	record: JsonObject;
}

/**
 * Gives the tasks of a job, each with what became of its person, and who that is. `ended`: in place of the results that the job
 * counts and the platform does not show yet, the records say `unknown`.
 */
export async function readPeopleOfJob(
	{ api, apiRoot, signal, limit }: TaskSource,
	{ id, view, ended }: { id: string; view?: RecordView; ended?: Partial<JobState> },
): Promise<PersonOfJob[]> {
	const people = peopleOfJob(apiRoot, id);
	// All results together tell whose each is, and a part of them would not.
	const list = { signal, limit: people ? undefined : limit };
	const tasks = ended
		? withMissing(await readEnded(api, id, list, ended), ended)
		: await new TaskReader().readSoFar(api, id, list);
	const read = tasks.map((task) => readTaskResult(task, view));
	const named = people ? await nameResults(read, people, api, ended?.succeeded) : read;
	const session =
		people?.sessionId ?? read.map((result) => result?.person?.session_id).find(Boolean) ?? null;
	const notNamed = describeUnnamed(people, named);
	return tasks.map((task, index) => {
		const result = named[index];
		// People who were registered before have not failed, although section 2.3 has no status for them.
		const status = result?.status === 'registered' ? 'succeeded' : result?.status;
		const reasons = result?.reasons ?? [];
		const email = result?.email ?? null;
		const record: JsonObject = {
			status: status ?? task.status ?? 'processing',
			email,
			reason: reasonOf(reasons) ?? null,
			...(email === null && { not_named: notNamed }),
			session_id: session,
			job_id: id,
			person: result?.person ?? null,
			errors: reasons.map((reason) => ({ ...reason })),
		};
		return { task, record };
	});
}

/** Reads the results of a job that is over. Their list may lag behind, so a refusal means that there are none yet, if it is known how many are missing. */
async function readEnded(
	api: Ask,
	id: string,
	list: ListOptions,
	job: Partial<JobState>,
): Promise<JsonObject[]> {
	const tasks = await new TaskReader().readEarly(api, id, list);
	if (!(tasks instanceof Failure)) return tasks;
	// A job that is not found may be made up.
	if (tasks.cause !== 'not_found' && withMissing([], job).length > 0) return [];
	throw tasks;
}

function withMissing(tasks: readonly JsonObject[], job: Partial<JobState>): JsonObject[] {
	const { succeeded = 0, failed = 0, total = succeeded + failed } = job;
	const finished = tasks.filter((task) => readTaskResult(task) !== undefined);
	const missing = upTo(Math.max(total, tasks.length) - finished.length);
	return [...finished, ...missing.map(() => ({ status: 'unknown' }))];
}

/** Says why a person of a job has no name. */
function describeUnnamed(
	people: JobPeople | undefined,
	named: ReadonlyArray<TaskResult | undefined>,
): string {
	if (people === undefined) {
		return 'The platform does not say who this is. The node can say it only for jobs that the same n8n process has started since its own start.';
	}
	const namedEmails = new Set(named.map((result) => sameAddress(result?.email ?? '')));
	const others = people.emails.filter((email) => !namedEmails.has(sameAddress(email)));
	return `The platform does not say who this is: one of ${others.length} people of this job.`;
}

/** Leaves the sentence that all unnamed people share in the first of their records only. */
export function sayOnce(records: readonly JsonObject[]): JsonObject[] {
	const first = records.find((record) => record.not_named !== undefined);
	return records.map((record) => {
		const { not_named: sentence, ...rest } = record;
		return sentence === undefined || record === first ? record : rest;
	});
}
