import type { Ask } from '../client/request';
import { clockAheadMs, withoutRounding } from '../dialect/limitHeaders';
import { daySeconds } from './cursor';

/** A larger difference is no clock that is wrong, but a response that tells another date. */
export const mostAheadSeconds = 400 * daySeconds;

/**
 * The platform's time during a poll. This is the one place in polling that knows how far our clock is ahead of it: as the last response has
 * told, and before the first one as it was stored.
 */
export class PlatformTime {
	hasResponded = false;

	constructor(
		private readonly ourClockMs: () => number,
		public aheadSeconds = 0,
	) {}

	get ourNowMs(): number {
		return this.ourClockMs();
	}

	get nowSeconds(): number {
		return Math.floor(this.ourClockMs() / 1_000) - this.aheadSeconds;
	}

	/** Compares the clocks with each response to `ask`. */
	timed(ask: Ask): Ask {
		return async (request) => {
			const response = await ask(request);
			const aheadMs = withoutRounding(clockAheadMs(response, this.ourClockMs()));
			const aheadSeconds = Math.round(aheadMs / 1_000);
			this.aheadSeconds = Math.abs(aheadSeconds) > mostAheadSeconds ? 0 : aheadSeconds;
			this.hasResponded = true;
			return response;
		};
	}
}
