import type { LoggedRequest } from '../access/requestLog';

const seconds = 60;

export interface Second {
	answered: number;
	/** 429 */
	limited: number;
	/** Any other error, and what got no answer. */
	failed: number;
}

/** How many requests arrived in each of the last 60 seconds, the current one last. */
export function paceOf(newestFirst: readonly LoggedRequest[], now: number): Second[] {
	const current = Math.floor(now / 1000);
	const pace: Second[] = Array.from({ length: seconds }, () => ({
		answered: 0,
		limited: 0,
		failed: 0,
	}));
	for (const { time, status, durationMs } of newestFirst) {
		const age = current - Math.floor(time / 1000);
		if (age >= seconds) break;
		const second = pace[seconds - 1 - age];
		if (!second) continue;
		const underWay = status === null && durationMs === null;
		if (status === 429) second.limited += 1;
		else if (underWay || (status !== null && status < 400)) second.answered += 1;
		else second.failed += 1;
	}
	return pace;
}
