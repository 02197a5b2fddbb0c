/*
 * One request: when it leaves, whether it is sent again, and what became of it. Nothing in this folder knows events,
 * people or jobs. Begin here.
 *
 *   request.ts       a request and a response, path.ts: the address of a request
 *   requestQueue.ts  the requests that wait for their turn; limiter.ts decides when the next one may leave
 *   retryPolicy.ts   whether a request is sent again, and when
 *   cause.ts         why a request came to nothing; failure.ts: the error that says so; errorBody.ts: the platform's words
 *   quota.ts         what a response says about the limits; month.ts and consumption.ts keep it
 *   document.ts      the records in a body; page.ts: one page of a list; pages.ts: a whole list
 *   baseUrl.ts       on which host the platform is; privateHost.ts: which hosts are not on the internet
 */
import { afterResponse, longestPauseMs } from './retryPolicy';
import { asFailure } from './failure';
import { Cancelled } from './cancelled';
import type { Answer, Api, ApiRequest, Send } from './request';
import type { Clock } from './clock';
import type { Pace } from './requestQueue';
import type { Usage } from './usage';

export interface ApiParts {
	send: Send;
	clock: Clock;
	pace: Pace;
	signal?: AbortSignal;
	log?: (message: string) => void;
	usesReserve?: boolean;
	/** 0 to 1; spreads the attempts of those refused at the same moment. */
	random?: () => number;
}

/** Sends a request when it is its turn, and again where that is safe. */
export function createApi(parts: ApiParts): Api {
	const { send, clock, pace, signal, log, usesReserve, random = Math.random } = parts;
	const usage: Usage = { requests: 0, ...pace.usage() };
	/** Kinds of paths of which the platform refuses the whole query, and answers the fallback. */
	const onlyFallback = new Set<string>();

	/** The one place where parameters that nobody asked for are left out after a 400. */
	async function call(request: ApiRequest): Promise<Answer> {
		const { fallbackQuery: query } = request;
		if (query === undefined) return await repeat(request);
		const kind = kindOf(request);
		const fallback = { ...request, query };
		if (onlyFallback.has(kind)) return await repeat(fallback);
		return await repeat(request).catch(async (error: unknown) => {
			const { status, reason } = asFailure(error);
			if (status !== 400 || reason === 'page_out_of_range') throw error;
			const answer = await repeat(fallback);
			onlyFallback.add(kind);
			return answer;
		});
	}

	async function repeat(request: ApiRequest): Promise<Answer> {
		for (let attempt = 1; ; attempt++) {
			// One of its own, because Node 20 warns of more than ten listeners to one.
			const own = signal && AbortSignal.any([signal]);
			const sentAt = await pace.turn({ ...request, usesReserve }, own);
			if (signal?.aborted) throw new Cancelled();
			usage.requests++;
			const answer = await send(request);
			if ('status' in answer) {
				pace.learn(answer, sentAt);
				if (answer.status === 429) usage.refused = (usage.refused ?? 0) + 1;
			}
			Object.assign(usage, pace.usage());
			const verdict = afterResponse(request, answer, attempt, clock.now());
			if ('done' in verdict) return verdict.done;
			const { failure, retry = Infinity } = verdict;
			const waitMs = retry * (1 + 0.25 * random());
			const last = Math.min(request.deadline ?? Infinity, clock.now() + longestPauseMs);
			if (clock.now() + waitMs > last) throw failure;
			const why =
				'lost' in answer ? `a lost connection (${answer.lost})` : `status ${answer.status}`;
			log?.(`${request.method} ${request.path} is tried again after ${why}`);
			await clock.sleep(waitMs, signal);
		}
	}

	return Object.assign(call, { usage });
}

/** "/sessions/:id/questions": what paths have in common in which only the ids differ. */
function kindOf({ path }: ApiRequest): string {
	const [, ...segments] = path.split('/');
	return segments.map((segment, index) => (index % 2 === 0 ? segment : ':id')).join('/');
}
