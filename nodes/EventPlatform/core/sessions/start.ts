import { parseSeconds, plannedStart } from '../dialect/time';
import { isoTime, timeInWords } from '../values/dates';
import type { JsonObject } from '../values/json';
import type { Seconds } from '../values/units';

/** `startsAt`: in Unix seconds. */
interface Start {
	readonly startsAt?: Seconds;
	readonly timezone?: string;
}

/** When the session began, else when it is planned to begin, in Unix seconds. */
export function startOf(attributes: JsonObject): Seconds | undefined {
	return parseSeconds(attributes.started_at) ?? plannedStart(attributes);
}

/** Writes when a session begins, in its own zone, or in `zone` where it names none; undefined where it has no start. */
export function startInWords({ startsAt, timezone = '' }: Start, zone: string): string | undefined {
	return startsAt === undefined ? undefined : timeInWords(startsAt * 1_000, timezone, zone);
}

/** The columns of the start of a session: in `zone`, which is that of the workflow, and in words in the zone of the session. */
export function startColumns(
	session: Start | undefined,
	zone: string,
): Record<'start' | 'start_text', string | null> {
	const { startsAt } = session ?? {};
	const start = startsAt === undefined ? null : isoTime(startsAt * 1_000, zone);
	return { start, start_text: (session && startInWords(session, zone)) ?? null };
}
