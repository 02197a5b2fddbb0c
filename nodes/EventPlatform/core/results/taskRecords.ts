import type { Ask, JsonObject } from '../http/ports';
import type { Show } from '../records/simplify';
import { sameAddress } from '../jobs/address';
import { readTaskResult, reasonOf, type TaskResult } from '../jobs/taskResult';
import type { JobPeople } from './jobPeople';
import { nameResults } from './nameResults';

interface Job {
	id: string;
	/** Absent where this process did not start it. */
	people?: JobPeople;
	/** As the job itself counts. */
	succeeded?: number;
	/** What is shown of a registered person. */
	show?: Show;
}

/** What became of each person of a job, in the order of its tasks, and who that is. */
export async function taskRecords(
	tasks: readonly JsonObject[],
	{ id, people, succeeded, show }: Job,
	ask: Ask,
): Promise<JsonObject[]> {
	const read = tasks.map((task) => readTaskResult(task, show));
	const given = read.filter((result) => result !== undefined);
	const isClear = given.length === tasks.length && given.every(({ email }) => email !== undefined);
	const named = people && !isClear ? await nameResults(given, people, ask, succeeded) : given;
	const session =
		people?.sessionId ?? given.map(({ person }) => person?.session_id).find(Boolean) ?? null;
	const notNamed = sayWho(people, named);
	let next = 0;
	return tasks.map((task, index) => {
		const result = read[index] && named[next++];
		const status = result ? taskStatus(result) : (task.status ?? 'processing');
		const errors = (result?.errors ?? []).map(({ code, message }) => ({ code, message }));
		const email = result?.email ?? null;
		return {
			...{ status, email },
			reason: reasonOf(errors),
			...(email === null && { not_named: notNamed }),
			...{ session_id: session, job_id: id },
			...{ person: result?.person ?? null, errors },
		};
	});
}

/** Section 2.3, but who was registered before has not failed. */
function taskStatus(result: TaskResult): string {
	return result.status === 'registered' ? 'succeeded' : result.status;
}

/** Without an address: most of them are those of others. */
function sayWho(people: JobPeople | undefined, named: readonly TaskResult[]): string {
	if (people === undefined) {
		return 'The platform does not say who this is. It can be told for jobs that the same n8n process has started since its own start.';
	}
	const known = new Set(named.map(({ email = '' }) => sameAddress(email)));
	const others = people.emails.filter((email) => !known.has(sameAddress(email)));
	return `The platform does not say who this is: one of ${others.length} people of this job.`;
}

/** What all who are not named share is said once, by the first of them. */
export function sayOnce(records: readonly JsonObject[]): JsonObject[] {
	const first = records.find((record) => record.not_named !== undefined);
	return records.map((record) => {
		if (record === first) return record;
		const { not_named: said, ...rest } = record;
		return said === first?.not_named ? rest : record;
	});
}
