import type { Ask } from './request';

/** Gives each request the same deadline, in milliseconds by the clock of the requests. */
export function withDeadline(ask: Ask, deadlineAtMs: number): Ask {
	return (request) => ask({ ...request, deadlineAtMs });
}
