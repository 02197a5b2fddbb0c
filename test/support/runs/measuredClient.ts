import type {
	ApiRequest,
	ApiResponse,
	Client,
} from '../../../nodes/EventPlatform/core/client/request';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { RefusedQueries } from '../../../nodes/EventPlatform/core/client/refusedQueries';
import type { Usage } from '../../../nodes/EventPlatform/core/client/usage';
import { clockAheadMs, leastAheadMs } from '../../../nodes/EventPlatform/core/dialect/clockAhead';

/** A client whose requests are answered like this. It counts and compares the clocks as the product's does. */
export function measuredClient(
	ask: (request: ApiRequest) => Promise<ApiResponse>,
	now: () => number,
): Client {
	const usage: Usage = { requests: 0, responses: 0, month: {}, perSecond: 5 };
	return {
		async send(request) {
			usage.requests += 1;
			const response = await ask(request).catch((error: unknown) => {
				if (error instanceof Failure && (error.status ?? 500) < 500) usage.responses += 1;
				throw error;
			});
			usage.responses += 1;
			usage.clockAheadMs = leastAheadMs(usage.clockAheadMs, clockAheadMs(response, now()));
			return response;
		},
		usage,
		refused: new RefusedQueries({ now }),
	};
}

/** The run of a poll by this clock. */
export function polledRun(
	ask: (request: ApiRequest) => Promise<ApiResponse>,
	now: () => number,
): { client: Client; clock: { now(): number; sleep(): Promise<void> } } {
	return { client: measuredClient(ask, now), clock: { now, sleep: () => Promise.resolve() } };
}
