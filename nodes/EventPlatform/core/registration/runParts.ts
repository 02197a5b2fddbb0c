import type { Client, Ask } from '../client/request';
import type { Clock } from '../client/clock';
import { type RecordView, collectingView, type CollectingView } from '../records/recordView';
import type { SessionCache } from '../sessions/sessionCache';

export interface RunParts {
	readonly client: Client;
	/** The address of the platform, under which the people of each job are remembered. Absent: they are not. */
	readonly apiRoot?: string;
	readonly clock: Clock;
	/** When the run began to read its list and its forms. Absent: it begins now. */
	readonly startedAtMs?: number;
	readonly signal?: AbortSignal;
	readonly sessions: SessionCache;
	readonly view?: RecordView;
	readonly log?: (message: string) => void;
}

export interface RunOptions {
	needsResults: boolean;
	maxWaitSeconds: number;
	mayDivide: boolean;
	/** Whether the personal links are looked for where the results do not have them. */
	bringsJoinLinks?: boolean;
}

export interface Cost {
	requests: number;
	seconds: number;
}

/** What a run has used so far. Sync hands it to the bulk run that is a part of it. */
export interface RunTotals {
	/** When the time of the run is over, in milliseconds by our clock. Absent: nobody waits for its end. */
	readonly deadlineAt?: number;
	readonly ask: Ask;
	readonly view: CollectingView;
	/** All that the run has cost, with the forms that it has read: what its hint says. */
	spent(): Cost;
}

export function beginTotals(
	{ client, clock, view, startedAtMs }: Pick<RunParts, 'client' | 'clock' | 'view' | 'startedAtMs'>,
	maxSeconds?: number,
): RunTotals {
	const startedAt = clock.now();
	const deadlineAt = maxSeconds === undefined ? undefined : startedAt + maxSeconds * 1_000;
	return {
		deadlineAt,
		view: collectingView(view),
		ask(request) {
			const { deadlineAtMs = Infinity } = request;
			const isEarlier = deadlineAt !== undefined && deadlineAt < deadlineAtMs;
			return client.send(isEarlier ? { ...request, deadlineAtMs: deadlineAt } : request);
		},
		spent: () => ({
			requests: client.usage.requests,
			seconds: Math.round((clock.now() - (startedAtMs ?? startedAt)) / 100) / 10,
		}),
	};
}
