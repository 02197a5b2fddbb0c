import { planRun } from '../../core/registration/bulkPlan';
import type { Row } from '../../core/people/registration';
import { meaningOf } from '../../core/failures/meaning';
import { joinFirst } from '../../core/people/peopleInWords';
import { asFailure, Failure } from '../../core/client/failure';
import type { Client } from '../../core/client/request';
import { explainFailure } from '../../core/sessions/explainFailure';
import { whyClosed } from '../../core/sessions/phase';
import { failureToListSessions } from '../../core/sessions/readSession';
import type { RunContext } from '../runContext';

interface CheckedSessions {
	people: readonly Row[];
	hints: string[];
}

/**
 * Looks at each session before the platform is asked to register anybody. A platform that does not show its sessions may
 * register people for them all the same, so a session that cannot be checked is no problem.
 */
export async function checkSessions(
	people: readonly Row[],
	{ client, sessions, findings: { breaker } }: Pick<RunContext, 'client' | 'sessions' | 'findings'>,
): Promise<CheckedSessions> {
	const problems = new Map<string, string | undefined>();
	const unchecked = new Map<string, Failure>();
	/**
	 * Tells an ID that is wrong from a platform that shows no session to this token and may register people all the same. Undefined until a
	 * session was read, or the list of them was asked for.
	 */
	let showsSessions: boolean | undefined;
	for (const id of new Set(planRun(people).batches.map(({ sessionId }) => sessionId))) {
		const session = await sessions.read(id).catch(asFailure);
		if (!(session instanceof Failure)) {
			breaker.recordSuccess();
			showsSessions = true;
			problems.set(id, whyClosed(session, sessions.nameOfRead(session)));
			continue;
		}
		const meaning = meaningOf(session);
		if (meaning.isIdUnknown) showsSessions ??= await listsSessions(client);
		if (meaning.mayBeElsewhere && !(meaning.isIdUnknown && showsSessions)) {
			unchecked.set(id, session);
			continue;
		}
		if (breaker.recordUnread(session, id) === 'run') throw session;
		problems.set(id, explainFailure(session, sessions));
	}
	const checkedPeople = people.map((person) => {
		const problem = problems.get(person.sessionId);
		return problem === undefined ? person : { ...person, problems: [...person.problems, problem] };
	});
	return { people: checkedPeople, hints: hintsOfUnchecked(unchecked) };
}

async function listsSessions(client: Client): Promise<boolean> {
	const failure = await failureToListSessions(client.send);
	if (!failure) return true;
	if (meaningOf(failure).mayBeElsewhere) return false;
	throw failure;
}

function hintsOfUnchecked(unchecked: ReadonlyMap<string, Failure>): string[] {
	const ids = [...unchecked.keys()];
	const [failure] = unchecked.values();
	if (failure === undefined) return [];
	const statusInWords = failure.status === undefined ? '' : ` (${failure.status})`;
	if (ids.length === 1) {
		return [
			`Not checked: whether the session ${ids[0]} exists and is open. The platform does not show it${statusInWords}.`,
		];
	}
	return [
		`Not checked: whether these sessions exist and are open: ${joinFirst(ids, mostListed)}. The platform does not show them${statusInWords}.`,
	];
}

const mostListed = 5;
