/** The kinds of limiter that a platform may have: nobody documents which. Refused requests do not count. */
export interface Limiter {
	take(token: string, now: number): { allowed: boolean; remaining: number };
}

export const limiterKinds = ['sliding', 'fixed', 'bucket'] as const;
export type LimiterKind = (typeof limiterKinds)[number];

const windowMs = 1_000;

export function createLimiter(kind: LimiterKind, limit: number): Limiter {
	if (kind === 'bucket') return bucket(limit);
	return kind === 'fixed' ? fixedWindow(limit) : slidingWindow(limit);
}

/** At most `limit` in any second. */
function slidingWindow(limit: number): Limiter {
	let times: number[] = [];
	return {
		take(_, now) {
			times = times.filter((at) => at > now - windowMs);
			const allowed = times.length < limit;
			if (allowed) times.push(now);
			return { allowed, remaining: limit - times.length };
		},
	};
}

/** At most `limit` in each second of the clock. */
function fixedWindow(limit: number): Limiter {
	let second = -1;
	let count = 0;
	return {
		take(_, now) {
			if (Math.floor(now / windowMs) !== second) count = 0;
			second = Math.floor(now / windowMs);
			const allowed = count < limit;
			if (allowed) count += 1;
			return { allowed, remaining: limit - count };
		},
	};
}

/** `limit` tokens that come back evenly within a second. */
function bucket(limit: number): Limiter {
	let tokens = limit;
	let last = -Infinity;
	return {
		take(_, now) {
			tokens = Math.min(limit, tokens + ((now - last) / windowMs) * limit);
			last = now;
			const allowed = tokens >= 1;
			if (allowed) tokens -= 1;
			return { allowed, remaining: Math.floor(tokens) };
		},
	};
}
