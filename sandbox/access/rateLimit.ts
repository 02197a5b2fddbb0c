const windowMs = 1000;

export const limiters = ['sliding', 'fixed', 'bucket'] as const;
export type Limiter = (typeof limiters)[number];

export interface Allowance {
	allowed: boolean;
	remaining: number;
	/** Milliseconds since 1970 at which one more is allowed than now. */
	resetAt: number;
}

/** Counts the requests of one token. A second after the last one none of them counts any more. */
type Take = (now: number) => Allowance;

/** Allows at most `limit` requests in any second. */
function slidingWindow(limit: number): Take {
	let times: number[] = [];
	return (now) => {
		times = times.filter((time) => time > now - windowMs);
		const allowed = times.length < limit;
		if (allowed) times.push(now);
		const [oldest = now] = times;
		return { allowed, remaining: limit - times.length, resetAt: oldest + windowMs };
	};
}

/** Allows at most `limit` requests in each second of the clock. Up to twice as many pass around its turn. */
function fixedWindow(limit: number): Take {
	let second = 0;
	let count = 0;
	return (now) => {
		const current = Math.floor(now / windowMs);
		if (current !== second) [second, count] = [current, 0];
		const allowed = count < limit;
		if (allowed) count += 1;
		return { allowed, remaining: limit - count, resetAt: (second + 1) * windowMs };
	};
}

/** `limit` requests at once, and one more for every `1 / limit` of a second that passes. */
function bucket(limit: number): Take {
	const full = limit * windowMs;
	/** Thousandths of a request, so that a millisecond adds a whole number of them: `limit`. */
	let level = full;
	let at = 0;
	return (now) => {
		level = Math.min(full, level + Math.max(0, now - at) * limit);
		at = now;
		const allowed = level >= windowMs;
		if (allowed) level -= windowMs;
		const remaining = Math.floor(level / windowMs);
		const missing = (remaining + 1) * windowMs - level;
		return { allowed, remaining, resetAt: now + missing / limit };
	};
}

const takes = { sliding: slidingWindow, fixed: fixedWindow, bucket };

/** The requests that each token has sent, and whether another one is allowed. */
export interface RateLimit {
	/** Counts a request of the token, if it is allowed. */
	take(tokenKey: string, now: number): Allowance;
	/** Forgets all requests. */
	reset(): void;
}

/** Allows `limit` requests of one token per second. Refused requests do not count. */
export function createRateLimit(limit: number, limiter: Limiter): RateLimit {
	const tokens = new Map<string, { take: Take; usedAt: number }>();

	return {
		take(tokenKey, now) {
			// Tokens that expired must not pile up.
			for (const [key, { usedAt }] of tokens.size >= 1000 ? tokens : []) {
				if (now - usedAt >= windowMs) tokens.delete(key);
			}
			const { take } = tokens.get(tokenKey) ?? { take: takes[limiter](limit) };
			tokens.set(tokenKey, { take, usedAt: now });
			return take(now);
		},
		reset: () => tokens.clear(),
	};
}
