import { withoutRounding } from '../dialect/clockAhead';
import type { Clock } from './clock';
import { withDeadline, type Client } from './request';
import type { Cost } from './usage';
import type { Ms } from '../values/units';

/** All that lives as long as one run: an execution of the action node, a poll, or a delivery. It is made there and handed down whole. */
export interface Run {
	readonly client: Client;
	/** The address of the platform. */
	readonly apiRoot: string;
	readonly clock: Clock;
	readonly startedAtMs: Ms;
	/** When the run is over, in milliseconds by our clock. Absent: nobody waits for its end. */
	readonly deadlineAtMs?: Ms;
	/** Aborted when the run is cancelled; undefined where n8n has no way to cancel one. */
	readonly signal?: AbortSignal;
}

/** All that a run has cost so far, with the forms that it has read: what its hint says. */
export function costSoFar({
	client,
	clock,
	startedAtMs,
}: Pick<Run, 'client' | 'clock' | 'startedAtMs'>): Cost {
	const { requests } = client.usage;
	return { requests, seconds: Math.round((clock.now() - startedAtMs) / 100) / 10 };
}

/**
 * Gives the run an end. No request leaves after it, and a response is waited for until then, or for a second where the request left just before.
 * Only an update or a removal of a person is waited for longer: for `longestResponseMs` of `people/amend.ts`, whenever it left. In Sync the
 * carrier cuts that off three seconds after the end (`graceMs`), and what became of the person is unknown. A removal may arrive all the same,
 * so the law of removals reckons with the whole of `longestResponseMs` (`timeLeft`).
 */
export function endingAt<Whole extends Pick<Run, 'client'>>(
	run: Whole,
	deadlineAtMs: Ms,
): Whole & Pick<Run, 'deadlineAtMs'> {
	const { send, ...client } = run.client;
	return { ...run, deadlineAtMs, client: { ...client, send: withDeadline(send, deadlineAtMs) } };
}

/**
 * The time by the platform's clock. A wrong clock of ours must not decide whether a session has begun: the latest time that any
 * response tells counts, however far from ours it is.
 */
export function platformNowMs({ client, clock }: Pick<Run, 'client' | 'clock'>): Ms {
	return clock.now() - withoutRounding(client.usage.clockAheadMs);
}
