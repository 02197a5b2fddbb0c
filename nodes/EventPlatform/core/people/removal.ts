import { attributesOf } from '../client/document';
import { asFailure, Failure } from '../client/failure';
import { pathTo } from '../client/path';
import type { Ask } from '../client/request';
import { againAfterMs } from '../client/retryPolicy';
import type { Clock } from '../client/clock';
import { meaningOf } from '../failures/meaning';
import type { JsonObject } from '../values/json';
import { text } from '../values/text';
import { longestResponseMs } from './amend';
import { findByEmail } from './findPeople';

export interface Removal {
	readonly sessionId: string;
	/** The person as the platform has shown them, or nothing but the ID. */
	readonly person: JsonObject;
}

/**
 * Sends a removal once; gives the failure where it has one. Only the caller repeats it, because a removal whose response got lost
 * is answered with a 404 the next time.
 */
export async function sendRemoval(
	ask: Ask,
	{ sessionId, person }: Removal,
	deadlineAtMs?: number,
): Promise<Failure | undefined> {
	const path = pathTo`/sessions/${sessionId}/people/${person.id}`;
	const common = { retry: 'onlyWhenRefused', timeoutMs: longestResponseMs, deadlineAtMs } as const;
	return await ask({ method: 'DELETE', path, ...common }).then(() => undefined, asFailure);
}

/** The address of a person as the platform shows it, because its filter may not know another spelling. */
export function shownEmailOf(person: JsonObject): string {
	return text(attributesOf(person).email);
}

/**
 * A person whom the platform did not find to remove may be removed already, by somebody else or by a request whose response got
 * lost. That they were not found may also mean something else, so the list of the session decides. A failure means that the list
 * tells nothing.
 */
export async function afterMissing(
	ask: Ask,
	{ sessionId, person }: Removal,
): Promise<'removed' | 'stillThere' | Failure> {
	const search = await findByEmail(ask, sessionId, shownEmailOf(person)).catch(asFailure);
	if (search instanceof Failure) return search;
	const { request, listed, people } = search;
	if (people.length > 0 || listed.some(({ id }) => id === person.id)) return 'stillThere';
	// Where the list shows other people, the platform has ignored the filter, and the person may be on any page.
	return listed.length === 0 ? 'removed' : new Failure('unexpected_shape', request);
}

/** Removes a person, and finds out whether that was done where no response says so. Throws the failure otherwise. */
export async function removePerson(
	ask: Ask,
	removal: Removal,
	{ clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<void> {
	/** The latest failure after which the person may be removed. */
	let lost: Failure | undefined;
	for (let attempt = 1; ; attempt++) {
		const failure = await sendRemoval(ask, removal);
		if (!failure) return;
		if (failure.cause === 'not_found' && lost) {
			const canBeFound = shownEmailOf(removal.person) !== '';
			if (canBeFound && (await afterMissing(ask, removal)) === 'removed') return;
			throw lost;
		}
		const { isPassing, effectOnPerson } = meaningOf(failure);
		// The client has already waited for the limit for as long as anybody does.
		const mayFollow = isPassing && failure.cause !== 'rate_limited';
		const waitMs = mayFollow ? againAfterMs('request', attempt) : undefined;
		if (effectOnPerson === 'perhaps') lost = failure;
		// An attempt that was not sent says nothing of the attempt before.
		if (waitMs === undefined) throw effectOnPerson === 'unsent' ? (lost ?? failure) : failure;
		await clock.sleep(waitMs, signal);
	}
}
