import { normalizeId } from '../client/path';
import type { Ask } from '../client/request';
import { findPeople } from '../people/findPeople';
import { emailAndAddressOf } from '../people/registration';
import { assign, concludeFromList } from './assign';
import { type TaskResult, readTaskResult } from './taskResult';
import { ProcessMap } from '../values/processState';
import { Failure } from '../client/failure';
import type { JsonObject } from '../values/json';
import type { RecordView } from '../records/recordView';
import { readTask, type JobState } from '../dialect/jobs';
import { TaskReader } from './jobRequests';
import { reasonOf } from '../people/outcome';
import { upTo } from '../values/collections';

interface JobPeople {
	sessionId: string;
	emails: readonly string[];
}

/**
 * The people of the latest jobs, by platform and job, because the platform does not say whom it refused. They are not stored,
 * because what is stored with a workflow leaves n8n with an export. Undefined: several jobs have had the id, so nobody knows whose results it
 * stands for.
 */
const peopleOfJobs = new ProcessMap<JobPeople | undefined>('peopleOfJobs');

/** The platform may write an id otherwise than somebody who asks for the job, or than its delivery. */
function keyOf(apiRoot: string, jobId: string): string {
	return `${apiRoot} ${normalizeId(jobId)}`;
}

export function rememberPeople(apiRoot: string, jobId: string, people: JobPeople): void {
	const key = keyOf(apiRoot, jobId);
	peopleOfJobs.set(key, peopleOfJobs.has(key) ? undefined : people);
}

/** The most requests that name the people of a job: the lists of 500 people. The results are shown without names too, so that more are not worth it. */
const mostRequests = 10;

interface NamedResult extends TaskResult {
	/** That of the person, as it was sent. Absent: nobody can tell who it is. */
	readonly email?: string;
}

/** Gives the results in the order of the tasks, each with the email of its person where that can be told. */
async function nameResults(
	resultsOfTasks: ReadonlyArray<TaskResult | undefined>,
	{ sessionId, emails: sentEmails }: JobPeople,
	ask: Ask,
	succeeded?: number,
): Promise<Array<NamedResult | undefined>> {
	const finished = resultsOfTasks.filter((result) => result !== undefined);
	const people = sentEmails.map((email) => ({ row: emailAndAddressOf(email) }));
	const { results, open, unassigned } = assign(people, finished, { succeeded });
	if (open.length > 0) {
		const addresses = open.map(({ row }) => row.address);
		// The results are shown without names too, and then nothing asks for the names again.
		const patiently: Ask = ({ retry = 'idempotent', ...request }) => ask({ ...request, retry });
		const listed = await findPeople(sessionId, addresses, mostRequests, patiently).catch(() => {});
		const ofListed = listed ? concludeFromList(open, unassigned, listed) : [];
		for (const [person, result] of ofListed) results.set(person, result);
	}
	const emailOf = new Map<TaskResult, string>();
	const concluded: NamedResult[] = [];
	for (const [{ row }, result] of results) {
		if (finished.includes(result)) emailOf.set(result, row.email);
		// It was concluded from several results of the same status, and stands in place of any of them.
		else concluded.push({ ...result, email: row.email });
	}
	return resultsOfTasks.map((result) => {
		if (!result) return undefined;
		const email = emailOf.get(result);
		if (email !== undefined) return { ...result, email };
		const nth = concluded.findIndex(({ status }) => status === result.status);
		return nth < 0 ? result : concluded.splice(nth, 1)[0];
	});
}

interface PersonOfJob {
	/** The task as the platform sent it; `unknown` in place of one that it does not show yet. */
	task: JsonObject;
	record: JsonObject;
}

/**
 * `apiRoot`: the address of the platform, by which the people of a job are remembered. `ended`: the state of a job that is over. The
 * records say `unknown` in place of the results that it counts and the platform does not show yet. Absent: the job may be running.
 */
export async function readPeopleOfJob(
	ask: Ask,
	apiRoot: string,
	id: string,
	{ view, ended }: { view?: RecordView; ended?: Partial<JobState> } = {},
): Promise<PersonOfJob[]> {
	const people = peopleOfJobs.get(keyOf(apiRoot, id));
	const tasks = ended
		? withMissing(await readEnded(ask, id, ended), ended)
		: await new TaskReader(ask).readSoFar(id);
	const results = tasks.map((task) => readTaskResult(task, view));
	const namedResults: Array<NamedResult | undefined> = people
		? await nameResults(results, people, ask, ended?.succeeded)
		: results;
	const sessionId =
		people?.sessionId ?? results.map((result) => result?.person?.session_id).find(Boolean) ?? null;
	const explanation = describeUnnamed(people, namedResults);
	return tasks.map((task, index) => {
		const result = namedResults[index];
		const reasons = result?.reasons ?? [];
		const email = result?.email ?? result?.address ?? null;
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
async function readEnded(ask: Ask, id: string, job: Partial<JobState>): Promise<JsonObject[]> {
	const tasks = await new TaskReader(ask).readEarly(id);
	if (!(tasks instanceof Failure)) return tasks;
	// A job that is not found may not exist at all.
	if (tasks.cause !== 'not_found' && withMissing([], job).length > 0) return [];
	throw tasks;
}

/**
 * A request takes fifty people (section 8), and a job of 127 was seen. Whoever may send a delivery may write any number into it, and a
 * record for each of a billion would stop n8n.
 */
const mostMissing = 1_000;

/** A task with the status `unknown` stands for each result that the job counts and the list does not show, up to a thousand. */
function withMissing(tasks: readonly JsonObject[], job: Partial<JobState>): JsonObject[] {
	const { succeeded = 0, failed = 0, total = succeeded + failed } = job;
	const finished = tasks.filter((task) => readTaskResult(task) !== undefined);
	const missingCount = Math.max(total, tasks.length) - finished.length;
	const missing = upTo(Math.min(missingCount, mostMissing));
	return [...finished, ...missing.map(() => ({ status: 'unknown' }))];
}

function describeUnnamed(
	people: JobPeople | undefined,
	namedResults: ReadonlyArray<NamedResult | undefined>,
): string {
	if (people === undefined) {
		return 'The platform does not say who this is. The node can say it only for jobs that the same n8n process has started since its own start.';
	}
	const named = namedResults.filter((result) => result?.email !== undefined);
	const unnamedCount = people.emails.length - named.length;
	return `The platform does not say who this is: one of ${unnamedCount} people of this job.`;
}

/** Keeps the sentence that all unnamed people share only in the first of their records. */
export function explainUnnamedOnce(records: readonly JsonObject[]): JsonObject[] {
	const first = records.find((record) => record.not_named !== undefined);
	return records.map((record) => {
		const { not_named: sentence, ...rest } = record;
		return sentence === undefined || record === first ? record : rest;
	});
}
