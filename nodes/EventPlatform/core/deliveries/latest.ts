import type { Ask } from '../http/ports';
import { day, type Wanted } from './cursor';
import { eventsIn, readEvents, readJobs, readPeople, type Attempt, type Happened } from './lists';
import { seconds, type DeliveredRecord } from './record';
import { sessionsInView } from './sessionsInView';

const orThrow: Attempt = (work) => work;

/** The latest of what there is, whenever it happened: for a test, so that few requests are enough. */
export async function findLatest(
	api: Ask,
	wanted: Wanted,
	now: number,
): Promise<Happened | undefined> {
	const jobs = await readJobs(api, orThrow, wanted, undefined, now);
	if (jobs.length > 0) return jobs.at(-1);
	const view = { ...wanted, endedWithinDays: Math.max(30, wanted.endedWithinDays) };
	const { sessions } = await sessionsInView(api, orThrow, undefined, view, now);
	const updatedAt = ({ attributes }: DeliveredRecord) => seconds(attributes.updated_at) ?? 0;
	const latest = sessions
		.filter(({ attributes }) => attributes.registrants_count !== 0)
		.sort((one, other) => updatedAt(other) - updatedAt(one))
		.slice(0, 3);
	for (const since of [now - day, 0]) {
		const part = { since, limit: 50 };
		const found = eventsIn('session', sessions, wanted);
		found.push(...(await readEvents(api, wanted, part)));
		for (const session of latest) found.push(...(await readPeople(api, session, wanted, part)));
		const timely = found.filter(({ at, isLate }) => isLate || at >= since);
		if (timely.length > 0) return timely.sort((one, other) => one.at - other.at).at(-1);
	}
	return undefined;
}
