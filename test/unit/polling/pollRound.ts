import {
	unlimited,
	type Cursor,
	type Search,
} from '../../../nodes/EventPlatform/core/polling/cursor';
import type { Round } from '../../../nodes/EventPlatform/core/polling/round';
import { fakePlatform, type FakeAnswers } from '../../support/platform/fakePlatform';
import { noFilters } from '../../support/runs/filters';

/** The time of the polls, in Unix seconds. */
export const now = 1_800_000_000;

interface RoundParts extends Partial<Omit<Round, 'search' | 'cursor' | 'api'>> {
	search?: Partial<Search>;
	cursor?: Partial<Cursor>;
	answers?: FakeAnswers;
}

/** A poll of a trigger that looks for registrations, and began at this moment. */
export function roundWith({
	search,
	cursor,
	answers = () => ({ data: [] }),
	...parts
}: RoundParts) {
	const { ask, asked } = fakePlatform(answers);
	const failures: unknown[] = [];
	const round: Round = {
		api: ask,
		tryToRead: async (work) => {
			return await work.catch((error: unknown) => {
				failures.push(error);
				return undefined;
			});
		},
		limits: unlimited,
		nowSeconds: now,
		...parts,
		search: {
			eventTypes: ['people.registered'],
			filters: noFilters,
			endedWithinDays: 1,
			...search,
		},
		cursor: { startedAt: now, polledAt: now, people: {}, ...cursor },
	};
	return { round, asked, failures };
}
