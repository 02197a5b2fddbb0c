const windowMs = 1000;

export interface Allowance {
	allowed: boolean;
	remaining: number;
	/** Milliseconds since 1970 at which one more is allowed than now. */
	resetAt: number;
}

/** When the last `limit` requests of one token were accepted: a ring, the oldest at `next`. */
class Window {
	private readonly times: Float64Array;
	private next = 0;

	constructor(private readonly limit: number) {
		this.times = new Float64Array(limit).fill(-Infinity);
	}

	take(now: number): Allowance {
		const allowed = this.at(0) <= now - windowMs;
		if (allowed) {
			this.times[this.next] = now;
			this.next = (this.next + 1) % this.limit;
		}
		let past = 0;
		while (past < this.limit && this.at(past) <= now - windowMs) past += 1;
		return { allowed, remaining: past, resetAt: this.at(past) + windowMs };
	}

	isIdle(now: number): boolean {
		return this.at(this.limit - 1) <= now - windowMs;
	}

	/** The nth oldest. */
	private at(nth: number): number {
		return this.times[(this.next + nth) % this.limit] ?? -Infinity;
	}
}

/** At most `limit` requests of one token in any second. Refused requests do not count. */
export function createRateLimit(limit: number) {
	const windows = new Map<string, Window>();

	/** Tokens that expired must not pile up. */
	function forgetIdle(now: number): void {
		for (const [key, window] of windows) if (window.isIdle(now)) windows.delete(key);
	}

	return {
		take(tokenKey: string, now: number): Allowance {
			let window = windows.get(tokenKey);
			if (!window) {
				if (windows.size >= 1000) forgetIdle(now);
				window = new Window(limit);
				windows.set(tokenKey, window);
			}
			return window.take(now);
		},
		reset: () => windows.clear(),
	};
}
