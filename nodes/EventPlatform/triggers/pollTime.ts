import type { IPollFunctions } from 'n8n-workflow';
import { clock } from '../n8n/clock';
import type { PollLimits } from '../core/polling/pollSettings';
import type { Ms } from '../core/values/units';

/** The time that a poll may take. n8n's durable scheduler abandons a longer one and throws away what it has stored. */
export interface PollTime extends PollLimits {
	/** When the poll has to end, by the clock of the requests. */
	deadlineAtMs: Ms;
}

/**
 * Versions of n8n before 2.37 do not say how long a poll may take. Their durable scheduler gives it 45 seconds, of which five are left
 * to store what the poll brought. Later versions say 36.
 */
const usualBudgetMs = 40_000;

export function beginPollTime(context: IPollFunctions): PollTime {
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : usualBudgetMs;
	const deadlineAtMs = clock.now() + (budgetMs > 0 ? budgetMs : usualBudgetMs);
	return { deadlineAtMs, isTimeOver: () => clock.now() >= deadlineAtMs };
}
