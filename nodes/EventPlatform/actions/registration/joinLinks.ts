import type { Outcome } from '../../core/people/outcome';
import type { Row } from '../../core/people/registration';
import type { RunParts } from '../../core/bulk/runParts';
import { withDeadline } from '../../core/client/deadline';
import { thousands } from '../../core/client/usage';
import { joinLinkColumn } from '../../core/records/simplify';
import { findPeople } from '../../core/people/findPeople';
import { groupBy } from '../../core/values/collections';

/** Looking for the links of one session may cost so many requests. */
const mostRequests = 50;

/** The people whom a run has reached, and the sessions on which nobody can be found by email. */
interface Reached {
	people: readonly Row[];
	outcomes: readonly Outcome[];
	publicSessions: ReadonlySet<string>;
	/** When looking for people has to end, by the clock of the requests. */
	deadline: number;
}

/**
 * Brings the join links that the results of a job do not have: a result says of somebody who was registered before only
 * that, so the list of the session is asked. A person who is not found there keeps the outcome as it is.
 */
export async function withJoinLinks(
	{ people, outcomes, publicSessions, deadline }: Reached,
	{ api, clock, view }: RunParts,
): Promise<Outcome[]> {
	const brought = [...outcomes];
	const ask = withDeadline(api, deadline);
	const missing = [...outcomes.keys()].filter((index) => isWithoutLink(outcomes[index]));
	for (const [sessionId, indexes] of groupBy(missing, (index) => people[index]?.sessionId ?? '')) {
		if (publicSessions.has(sessionId)) continue;
		const emails = indexes.map((index) => people[index]?.address ?? '');
		const listed = await findPeople(sessionId, emails, mostRequests, ask, { clock, view }).catch(
			// A run that has registered people does not fail because of their links.
			() => undefined,
		);
		for (const [position, index] of indexes.entries()) {
			const outcome = brought[index];
			const person = listed?.people.get(emails[position] ?? '')?.person;
			if (outcome && person) brought[index] = { ...outcome, person };
		}
	}
	return brought;
}

/** Says of how many people no link is known. */
export function hintsOfMissingLinks(outcomes: readonly Outcome[]): string[] {
	const count = outcomes.filter(isWithoutLink).length;
	if (count === 0) return [];
	const whose = count === 1 ? '1 person has' : `${thousands(count)} people have`;
	return [`${whose} no join link: ${noLinkSent}`];
}

export const noLinkSent = "the platform did not send it. 'Get People' may find it later.";

function isWithoutLink(outcome: Outcome | undefined): boolean {
	const isRegistered = outcome?.status === 'registered' || outcome?.status === 'already_registered';
	return isRegistered && (outcome.person?.[joinLinkColumn] ?? null) === null;
}
