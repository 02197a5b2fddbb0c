const windowMs = 1000;

export const limiters = ['sliding', 'fixed', 'bucket'] as const;
export type Limiter = (typeof limiters)[number];

export interface Allowance {
	allowed: boolean;
	remaining: number;
	/** Milliseconds since 1970 at which one more is allowed than now. */
	resetAt: number;
}

/** What is remembered of one token. */
interface Count {
	take(now: number): Allowance;
	/** Nothing of it counts any more: it may be forgotten. */
	isIdle(now: number): boolean;
}

/** At most `limit` requests in any second. A ring of the times that still count, the oldest at `first`. */
class SlidingWindow implements Count {
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

/** At most `limit` requests in each second of the clock: up to twice as many around its turn. */
class FixedWindow implements Count {
	private second = 0;
	private count = 0;

	constructor(private readonly limit: number) {}

	take(now: number): Allowance {
		if (!this.isCurrent(now)) [this.second, this.count] = [secondOf(now), 0];
		const allowed = this.count < this.limit;
		if (allowed) this.count += 1;
		const resetAt = (this.second + 1) * windowMs;
		return { allowed, remaining: this.limit - this.count, resetAt };
	}

	isIdle(now: number): boolean {
		return !this.isCurrent(now);
	}

	private isCurrent(now: number): boolean {
		return this.second === secondOf(now);
	}
}

function secondOf(now: number): number {
	return Math.floor(now / windowMs);
}

/** `limit` requests at once, and one more for every `1 / limit` of a second that passes. */
class Bucket implements Count {
	private readonly full: number;
	/** Thousandths of a request, so that a millisecond adds a whole number of them: `limit`. */
	private level: number;
	private at = 0;

	constructor(private readonly limit: number) {
		this.full = limit * windowMs;
		this.level = this.full;
	}

	take(now: number): Allowance {
		this.level = this.levelAt(now);
		this.at = now;
		const allowed = this.level >= windowMs;
		if (allowed) this.level -= windowMs;
		const remaining = Math.floor(this.level / windowMs);
		const missing = (remaining + 1) * windowMs - this.level;
		return { allowed, remaining, resetAt: now + missing / this.limit };
	}

	isIdle(now: number): boolean {
		return this.levelAt(now) === this.full;
	}

	private levelAt(now: number): number {
		return Math.min(this.full, this.level + Math.max(0, now - this.at) * this.limit);
	}
}

const counts: Record<Limiter, new (limit: number) => Count> = {
	sliding: SlidingWindow,
	fixed: FixedWindow,
	bucket: Bucket,
};

/** Allows `limit` requests of one token per second. Refused requests do not count. */
export function createRateLimit(limit: number, limiter: Limiter = 'sliding') {
	const tokens = new Map<string, Count>();

	/** Tokens that expired must not pile up. */
	function forgetIdle(now: number): void {
		for (const [key, count] of tokens) if (count.isIdle(now)) tokens.delete(key);
	}

	return {
		take(tokenKey: string, now: number): Allowance {
			let count = tokens.get(tokenKey);
			if (!count) {
				if (tokens.size >= 1000) forgetIdle(now);
				count = new counts[limiter](limit);
				tokens.set(tokenKey, count);
			}
			return count.take(now);
		},
		reset: () => tokens.clear(),
	};
}

export type RateLimit = ReturnType<typeof createRateLimit>;
