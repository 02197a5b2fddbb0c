import { Failure } from '../client/failure';
import type { JsonObject } from '../values/json';
import type { List } from '../client/pages';
import type { Ask } from '../client/request';
import type { Show } from '../records/simplify';
import { sameAddress } from '../jobs/address';
import type { JobState } from '../jobs/jobState';
import { readTaskResult, reasonOf, TaskReader, type TaskResult } from '../jobs/task';
import { keepLatest, upTo } from '../values/collections';
import { assign, conclude } from '../bulk/assign';
import { findPeople } from '../sessions/sessionPeople';

/** Where the tasks of a job are read, and how many are wanted at most. */
export interface TaskSource extends Pick<List, 'limit' | 'signal'> {
	api: Ask;
	apiRoot: string;
}

/**
 * The tasks of a job, each with what became of its person, and who that is. `ended`: in place of the results that the job
 * counts and the platform does not show yet, the records say `unknown`.
 */
export async function readPeopleOfJob(
	{ api, apiRoot, signal, limit }: TaskSource,
	{ id, show, ended }: { id: string; show?: Show; ended?: Partial<JobState> },
) {
	const people = peopleOfJob(apiRoot, id);
	// Only all of them together tell whose each is.
	const list = { signal, limit: people ? undefined : limit };
	const tasks = ended
		? withMissing(await readEnded(api, id, list, ended), ended)
		: await new TaskReader().readSoFar(api, id, list);
	const read = tasks.map((task) => readTaskResult(task, show));
	const named = people ? await nameResults(read, people, api, ended?.succeeded) : read;
	const session =
		people?.sessionId ?? read.map((result) => result?.person?.session_id).find(Boolean) ?? null;
	const notNamed = sayWho(people, named);
	return tasks.map((task, index) => {
		const result = named[index];
		// Section 2.3, but who was registered before has not failed.
		const known = result?.status === 'registered' ? 'succeeded' : result?.status;
		const errors = [...(result?.errors ?? [])];
		const email = result?.email ?? null;
		const record: JsonObject = {
			status: known ?? task.status ?? 'processing',
			email,
			reason: reasonOf(errors),
			...(email === null && { not_named: notNamed }),
			session_id: session,
			job_id: id,
			person: result?.person ?? null,
			errors,
		};
		return { task, record };
	});
}

/** Of a job that is over, whose list of results may lag behind: a refusal means that there are none yet, if it is known how many are missing. */
async function readEnded(api: Ask, id: string, list: List, job: Partial<JobState>) {
	const shown = await new TaskReader().readEarly(api, id, list);
	if (!(shown instanceof Failure)) return shown;
	// A job that is not found may be made up.
	if (shown.reason !== 'not_found' && withMissing([], job).length > 0) return [];
	throw shown;
}

function withMissing(shown: readonly JsonObject[], job: Partial<JobState>): JsonObject[] {
	const { succeeded = 0, failed = 0, total = succeeded + failed } = job;
	const finished = shown.filter((task) => readTaskResult(task) !== undefined);
	const missing = upTo(Math.max(total, shown.length) - finished.length);
	return [...finished, ...missing.map(() => ({ status: 'unknown' }))];
}

function sayWho(people: JobPeople | undefined, named: ReadonlyArray<TaskResult | undefined>) {
	if (people === undefined) {
		return 'The platform does not say who this is. The node can say it only for jobs that the same n8n process has started since its own start.';
	}
	const known = new Set(named.map((result) => sameAddress(result?.email ?? '')));
	const others = people.emails.filter((email) => !known.has(sameAddress(email)));
	return `The platform does not say who this is: one of ${others.length} people of this job.`;
}

/** What all who are not named share is said by the first of them only. */
export function sayOnce(records: readonly JsonObject[]): JsonObject[] {
	const first = records.find((record) => record.not_named !== undefined);
	return records.map((record) => {
		const { not_named: said, ...rest } = record;
		return said === undefined || record === first ? record : rest;
	});
}

/** Whom a job is for, as its request named them. */
export interface JobPeople {
	sessionId: string;
	/** In the order of its tasks. */
	emails: readonly string[];
	/** As in `addressesSentByOthers`; absent: there are none. */
	sentByOthers?: ReadonlySet<string>;
}

/** About 5 MB, when each has fifty people. */
const mostJobs = 1_000;

/** The platform does not say whom it refused. Not stored: what is stored with a workflow leaves n8n with an export. */
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

/** What asking who is registered may cost for one job. */
const mostRequests = 10;

/** The results of a job with the address of each person, as it was sent, where that can be told for certain. */
export async function nameResults(
	read: ReadonlyArray<TaskResult | undefined>,
	{ sessionId, emails: sent, sentByOthers }: JobPeople,
	ask: Ask,
	succeeded?: number,
): Promise<Array<TaskResult | undefined>> {
	const given = read.filter((result) => result !== undefined);
	const emails = sent.map(sameAddress);
	const { results, open, left } = assign(emails, given, { succeeded, sentByOthers });
	if (open.length > 0) {
		const wanted = open.map((position) => emails[position] ?? '');
		// What cannot be found out stays open.
		const there = await findPeople(sessionId, wanted, mostRequests, ask).catch(() => {});
		const found = there ? conclude(wanted, left, there.people) : [];
		for (const [index, position] of open.entries()) results[position] = found[index];
	}
	// What was concluded of several alike comes instead of any of them.
	const concluded = results.flatMap((result, position) =>
		result && !given.includes(result) ? { ...result, email: sent[position] } : [],
	);
	return read.map((own) => {
		const position = own ? results.indexOf(own) : -1;
		if (own && position >= 0) return { ...own, email: sent[position] };
		const alike = concluded.findIndex(({ status }) => status === own?.status);
		return alike < 0 ? own : concluded.splice(alike, 1)[0];
	});
}
