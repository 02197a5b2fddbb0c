/*
 * This folder sends a request: it decides when the request leaves and whether it is sent again, and tells what became of it.
 * Nothing in this folder knows events, people or jobs, but for the paths to people (path.ts), the requests that send them (cause.ts), a list that
 * shows the month (askQuota.ts), the numbers of what is tried again (patience.ts), and what run.ts says of how long removals are waited for. Begin here.
 *
 *   request.ts        a request, a response, and why none came; path.ts: the address of a request
 *   clock.ts          the time, and work that lets other work run
 *   requestQueue.ts   the requests that wait for their turn; limiter.ts decides when the next one may leave
 *   patience.ts       trying again: how often and how long (its head names what is elsewhere), failures in a row, and attempts that a caller makes again
 *   afterResponse.ts  whether the client sends a request again, and when
 *   refusedQueries.ts what a platform refuses in a query, which is left out for a while
 *   cause.ts          why a request came to nothing; failure.ts: the error that says so
 *   quota.ts          what responses say about the limits and the month; usage.ts tells it, askQuota.ts asks
 *   document.ts       the records in a body: one record, a page, and related records; pages.ts: the pages of a whole list
 *   baseUrl.ts        on which host the platform is
 *   run.ts            what every run has: its client, its clock and its end, and the platform's time
 *   concurrently.ts   work on several things at the same time
 */
import { longestPauseMs } from './patience';
import { afterResponse } from './afterResponse';
import type { Failure } from './failure';
import { CancelledBeforeSending, type Clock } from './clock';
import type {
	ApiRequest,
	ApiResponse,
	Ask,
	Client,
	NoResponse,
	Refusals,
	SendOnce,
} from './request';
import { RefusedQueries } from './refusedQueries';
import type { RequestQueue } from './requestQueue';
import { beginUsage } from './usage';
import { clockAheadMs, leastAheadMs } from '../dialect/clockAhead';
import type { Ms } from '../values/units';

/** A wait becomes longer by up to this part of it, so that requests that failed together do not come again together. */
const mostJitter = 0.25;

interface ClientParts {
	/** Makes one attempt; it returns any response, or that none came, and throws neither. */
	send: SendOnce;
	clock: Clock;
	queue: Pick<RequestQueue, 'waitForPlace' | 'recordResponse' | 'month' | 'perSecond'>;
	/** Aborted when the run is cancelled. Absent: the run cannot be cancelled. */
	signal?: AbortSignal;
	log?: (message: string) => void;
	/** A number from 0 to 1 spreads the attempts of requests that were rate limited at the same moment. */
	random?: () => number;
	/** Absent: nothing is known of the platform from earlier runs. */
	refused?: Refusals;
}

/** Makes the client of a run, which sends a request when its turn comes, and again where that is safe. */
export function createClient(parts: ClientParts): Client {
	const { send, clock, queue, signal, log, random = Math.random } = parts;
	const { refused = new RefusedQueries(clock) } = parts;
	const usage = beginUsage(queue);

	async function sendWithRetries(request: ApiRequest): Promise<ApiResponse> {
		let sentAt = await queue.waitForPlace(request, signal);
		const earlier: Failure[] = [];
		for (;;) {
			const response = await sendNow(request, sentAt);
			const verdict = afterResponse(request, response, earlier, clock.now());
			if (verdict.kind === 'done') return verdict.response;
			const { failure } = verdict;
			if (verdict.kind === 'failed') throw failure;
			const mostWaitMs = latestAttemptAt(request, clock) - clock.now();
			if (verdict.afterMs > mostWaitMs) throw failure;
			const waitMs = Math.min(verdict.afterMs * (1 + mostJitter * random()), mostWaitMs);
			log?.(`${request.method} ${request.path} is tried again after ${describeResponse(response)}`);
			earlier.push(failure);
			if (failure.cause === 'rate_limited') usage.waits = (usage.waits ?? 0) + 1;
			await clock.sleep(waitMs, signal).catch(() => {
				throw new CancelledBeforeSending();
			});
			sentAt = await queue.waitForPlace(request, signal);
		}
	}

	async function sendNow(request: ApiRequest, sentAt: Ms): Promise<ApiResponse | NoResponse> {
		if (signal?.aborted) throw new CancelledBeforeSending();
		usage.requests++;
		const response = await send(request);
		if ('status' in response) {
			queue.recordResponse(response, sentAt);
			if (response.status < 500) usage.responses++;
			const aheadMs = clockAheadMs(response, clock.now());
			usage.clockAheadMs = leastAheadMs(usage.clockAheadMs, aheadMs);
		}
		return response;
	}

	return { send: withAddedQuery(sendWithRetries, refused), usage, refused };
}

/**
 * This is the one place where `include` is added though nobody asked for it; polling adds its filters itself. A request without such
 * parameters is sent as it is, not as a copy, because `certify` finds what came of it by the object.
 */
function withAddedQuery(ask: Ask, refused: Refusals): Ask {
	return async (request) => {
		const { addedQuery, ...plain } = request;
		if (addedQuery === undefined) return await ask(request);
		const added = { path: plain.path, query: addedQuery };
		const whole = { ...plain, query: { ...plain.query, ...addedQuery } };
		return await refused.readOrLeaveOut(
			added,
			() => ask(whole),
			() => ask(plain),
		);
	};
}

function latestAttemptAt({ deadlineAtMs = Infinity }: ApiRequest, clock: Clock): Ms {
	return Math.min(deadlineAtMs, clock.now() + longestPauseMs);
}

function describeResponse(response: ApiResponse | NoResponse): string {
	return 'networkError' in response
		? `no response (${response.networkError})`
		: `status ${response.status}`;
}
