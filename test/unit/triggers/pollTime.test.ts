import type { IPollFunctions } from 'n8n-workflow';
import { beginPollTime } from '../../../nodes/EventPlatform/triggers/pollTime';
import { clock } from '../../../nodes/EventPlatform/n8n/clock';

let nowMs = 0;

beforeEach(() => {
	nowMs = 1_800_000_000_000;
	jest.spyOn(clock, 'now').mockImplementation(() => nowMs);
});

/** The context of a poll in a version of n8n that gives it so much time, or says nothing of it. */
function contextWith(budgetMs?: number): IPollFunctions {
	const context = budgetMs === undefined ? {} : { getPollBudgetMs: () => budgetMs };
	return context as IPollFunctions;
}

test.each([
	['as long as n8n says', 20_000, 20_000],
	['40 seconds where n8n does not say it', undefined, 40_000],
	['40 seconds where n8n has no time left to give', 0, 40_000],
	['40 seconds where n8n gives less than nothing', -5, 40_000],
])('a poll may take %s', (_, budgetMs, expectedMs) => {
	const time = beginPollTime(contextWith(budgetMs));
	expect(time.deadlineAtMs).toBe(nowMs + expectedMs);
	nowMs += expectedMs - 1;
	expect(time.isTimeOver()).toBe(false);
	nowMs += 1;
	expect(time.isTimeOver()).toBe(true);
});
