import { clockAheadMs, withoutRounding } from '../dialect/limitHeaders';
import type { Clock } from '../client/clock';
import type { ApiRequest, Client } from '../client/request';

/** Tells the time of the platform: whether a session has begun must not depend on a wrong clock of ours. */
export class PlatformTime {
	/** How far our clock is ahead at most: the least that any response tells. Absent: no response had a date. */
	private aheadMs?: number;

	constructor(private readonly clock: Clock) {}

	hearing(api: Client): Client {
		const ask = async (request: ApiRequest) => {
			const response = await api(request);
			const aheadMs = clockAheadMs(response, this.clock.now());
			if (aheadMs !== undefined) this.aheadMs = Math.min(this.aheadMs ?? aheadMs, aheadMs);
			return response;
		};
		return Object.assign(ask, { usage: api.usage });
	}

	nowMs(): number {
		return this.clock.now() - withoutRounding(this.aheadMs);
	}
}
