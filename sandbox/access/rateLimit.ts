const windowMs = 1000;

export interface Allowance {
	allowed: boolean;
	remaining: number;
	/** Milliseconds since 1970 at which one more is allowed than now. */
	resetAt: number;
}

/** When the requests of one token that still count were accepted: a ring, the oldest at `first`. */
class Window {
	private readonly times: number[] = [];
	private first = 0;
	private count = 0;

	constructor(private readonly limit: number) {}

	take(now: number): Allowance {
		this.forget(now);
		const allowed = this.count < this.limit;
		if (allowed) {
			this.times[(this.first + this.count) % this.limit] = now;
			this.count += 1;
		}
		const oldest = this.times[this.first] ?? now;
		return { allowed, remaining: this.limit - this.count, resetAt: oldest + windowMs };
	}

	isIdle(now: number): boolean {
		this.forget(now);
		return this.count === 0;
	}

	private forget(now: number): void {
		while (this.count > 0 && (this.times[this.first] ?? 0) <= now - windowMs) {
			this.first = (this.first + 1) % this.limit;
			this.count -= 1;
		}
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
