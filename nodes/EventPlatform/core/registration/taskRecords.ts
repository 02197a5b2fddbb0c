import { Failure } from '../client/failure';
import type { JsonObject } from '../values/json';
import type { ListOptions } from '../client/pages';
import type { Ask } from '../client/request';
import type { RecordView } from '../records/recordView';
import { sameAddress } from '../people/address';
import { readTask, type JobState } from '../dialect/jobs';
import { readTaskResult, type TaskResult } from './taskResult';
import { TaskReader } from './taskReader';
import { reasonOf } from '../people/reason';
import { upTo } from '../values/collections';
import { peopleOfJob, type JobPeople, nameResults } from './nameResults';

/** The source of the tasks of jobs, and how many tasks are needed at most. */
export interface TaskSource extends Pick<ListOptions, 'limit' | 'signal'> {
	/** Sends the requests. */
	api: Ask;
	/** The address of the platform, by which the people of a job are remembered. */
	apiRoot: string;
}

/** A task, and the record of what it says about its person. */
interface PersonOfJob {
	/** The task as the platform sent it; `unknown` in place of one that it does not show yet. */
	task: JsonObject;
	/** The record as workflows see it. */
	record: JsonObject;
}

/**
 * Gives the tasks of a job, each with what became of its person, and who that is. `ended`: the state of a job that is over. The
 * records say `unknown` in place of the results that it counts and the platform does not show yet. Absent: the job may be running.
 */
export async function readPeopleOfJob(
	{ api, apiRoot, signal, limit }: TaskSource,
	{ id, view, ended }: { id: string; view?: RecordView; ended?: Partial<JobState> },
): Promise<PersonOfJob[]> {
	const people = peopleOfJob(apiRoot, id);
	// Only all results together tell whose each is, so the limit must not cut them off.
	const listOptions = { signal, limit: people ? undefined : limit };
	const tasks = ended
		? withMissing(await readEnded(api, id, listOptions, ended), ended)
		: await new TaskReader().readSoFar(api, id, listOptions);
	const results = tasks.map((task) => readTaskResult(task, view));
	const namedResults = people ? await nameResults(results, people, api, ended?.succeeded) : results;
	const sessionId =
		people?.sessionId ?? results.map((result) => result?.person?.session_id).find(Boolean) ?? null;
	const explanation = describeUnnamed(people, namedResults);
	return tasks.map((task, index) => {
		const result = namedResults[index];
		const reasons = result?.reasons ?? [];
		const email = result?.email ?? null;
		const record: JsonObject = {
			status: readTask(task).status ?? 'processing',
			// Section 2.3 has no status of its own for people who were registered before: the platform calls them failed.
			outcome: result?.status ?? (task.status === 'unknown' ? 'unknown' : null),
			email,
			reason: reasonOf(reasons) ?? null,
			...(email === null && { not_named: explanation }),
			session_id: sessionId,
			job_id: id,
			person: result?.person ?? null,
			errors: reasons.map((reason) => ({ ...reason })),
		};
		return { task, record };
	});
}

/** Reads the results of a job that is over. Their list may lag behind, so where the job counts results, a refusal means that none are shown yet. */
async function readEnded(
	api: Ask,
	id: string,
	list: ListOptions,
	job: Partial<JobState>,
): Promise<JsonObject[]> {
	const tasks = await new TaskReader().readEarly(api, id, list);
	if (!(tasks instanceof Failure)) return tasks;
	// A job that is not found may not exist at all.
	if (tasks.cause !== 'not_found' && withMissing([], job).length > 0) return [];
	throw tasks;
}

/** Gives the finished tasks, and one with the status `unknown` for each result that the job counts and the list does not show. */
function withMissing(tasks: readonly JsonObject[], job: Partial<JobState>): JsonObject[] {
	const { succeeded = 0, failed = 0, total = succeeded + failed } = job;
	const finished = tasks.filter((task) => readTaskResult(task) !== undefined);
	const missing = upTo(Math.max(total, tasks.length) - finished.length);
	return [...finished, ...missing.map(() => ({ status: 'unknown' }))];
}

/** Describes why it is not known who a person of a job is. */
function describeUnnamed(
	people: JobPeople | undefined,
	namedResults: ReadonlyArray<TaskResult | undefined>,
): string {
	if (people === undefined) {
		return 'The platform does not say who this is. The node can say it only for jobs that the same n8n process has started since its own start.';
	}
	const namedEmails = new Set(namedResults.map((result) => sameAddress(result?.email ?? '')));
	const unnamed = people.emails.filter((email) => !namedEmails.has(sameAddress(email)));
	return `The platform does not say who this is: one of ${unnamed.length} people of this job.`;
}

/** Keeps the sentence that all unnamed people share only in the first of their records. */
export function explainUnnamedOnce(records: readonly JsonObject[]): JsonObject[] {
	const first = records.find((record) => record.not_named !== undefined);
	return records.map((record) => {
		const { not_named: sentence, ...rest } = record;
		return sentence === undefined || record === first ? record : rest;
	});
}
