import { attributesOf } from '../client/document';
import { asFailure, Failure } from '../client/failure';
import { isSameId, pathToPeople, pathToPerson } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import type { Clock } from '../client/clock';
import { persist } from '../client/patience';
import { mayHaveActed } from '../failures/meaning';
import type { JsonObject } from '../values/json';
import { text } from '../values/text';
import { longestResponseMs } from './amend';
import { findByEmail } from './findPeople';
import { isRegistrant } from './identity';

interface Removal {
	readonly sessionId: string;
	/** The person as the platform has shown them, or nothing but the ID. */
	readonly person: JsonObject;
}

/**
 * The attempts to remove a person. An attempt whose response got lost may have removed the person, so that a later refusal proves nothing. The
 * person is removed for certain only if a later attempt succeeds, or if the list of the session does not show the person any more.
 */
export class RemovalAttempts {
	/** The latest failure after which the person may be removed. */
	lost?: Failure;

	constructor(
		private readonly ask: Ask,
		private readonly removal: Removal,
	) {}

	/**
	 * Gives the failure where the person is not removed, or nobody knows it. After a lost response only the caller repeats a removal, because
	 * the next one may be told 404 for what the lost one has done.
	 */
	async make(
		how: Pick<ApiRequest, 'deadlineAtMs'> & { readonly retry: 'unlessActedOn' | 'never' },
	): Promise<Failure | undefined> {
		const { sessionId, person } = this.removal;
		const path = pathToPerson(sessionId, person.id);
		const request = { method: 'DELETE', path, timeoutMs: longestResponseMs, ...how } as const;
		const failure = await this.ask(request).then(() => undefined, asFailure);
		if (failure && mayHaveActed(failure)) this.lost = failure;
		return failure;
	}

	/**
	 * A person whom the platform did not find to remove may be removed already, by somebody else or by a request whose response got
	 * lost. That they were not found may also mean something else, so the list of the session decides. A failure means that the list
	 * tells nothing.
	 */
	async look(): Promise<'removed' | 'stillThere' | Failure> {
		const { sessionId, person } = this.removal;
		// The address as the platform shows it, because its filter may not know another spelling.
		const email = text(attributesOf(person).email);
		const path = pathToPeople(sessionId);
		if (email === '') return new Failure('unexpected_shape', { method: 'GET', path });
		const listed = await findByEmail(this.ask, sessionId, email, person.id).catch(asFailure);
		if (listed instanceof Failure) return listed;
		// Somebody of the team with the address is somebody else.
		const isThere = listed.some((one) => isSameId(one.id, person.id) || isRegistrant(one));
		return isThere ? 'stillThere' : 'removed';
	}
}

/** Removes a person. Throws the failure where the platform refuses it, and that of a lost response where nobody knows more. */
export async function removePerson(
	ask: Ask,
	removal: Removal,
	parts: { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<void> {
	const attempts = new RemovalAttempts(ask, removal);
	const attempt = async () => {
		const failure = await attempts.make({ retry: 'unlessActedOn' });
		if (!failure) return;
		const mayBeDone = failure.cause === 'not_found' && attempts.lost !== undefined;
		if (mayBeDone && (await attempts.look()) === 'removed') return;
		throw failure;
	};
	await persist('request', attempt, { ...parts, mayTryAgain: mayHaveActed }).catch(
		(error: unknown) => {
			const failure = asFailure(error);
			throw attempts.lost ?? failure;
		},
	);
}
