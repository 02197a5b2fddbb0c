import type { IPollFunctions } from 'n8n-workflow';
import { clock } from '../n8n/clock';
import type { Ask } from '../core/client/request';

/** How long a poll may take. n8n's durable scheduler abandons a longer one and throws away what it has stored. */
export interface PollTime {
	/** When the poll has to end, by the clock of the requests. */
	deadline: number;
	isOver(this: void): boolean;
}

/** Versions of n8n before 2.37 do not say. Their durable scheduler gives a poll 45 seconds. */
const usualBudgetMs = 40_000;

export function timeOf(context: IPollFunctions): PollTime {
	const toldMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : usualBudgetMs;
	const deadline = clock.now() + (toldMs > 0 ? toldMs : usualBudgetMs);
	return { deadline, isOver: () => clock.now() >= deadline };
}

/** Requests that wait no longer than the poll may take. */
export function within({ deadline }: PollTime, ask: Ask): Ask {
	return (request) => ask({ ...request, deadlineAtMs: deadline });
}
