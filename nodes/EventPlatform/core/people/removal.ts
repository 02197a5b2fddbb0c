import { attributesOf } from '../client/document';
import { asFailure, Failure } from '../client/failure';
import { pathTo } from '../client/path';
import type { Ask } from '../client/request';
import { Persistence } from '../client/patience';
import type { Clock } from '../client/clock';
import { meaningOf } from '../failures/meaning';
import type { JsonObject } from '../values/json';
import { text } from '../values/text';
import { longestResponseMs } from './amend';
import { findByEmail } from './findPeople';
import type { Reason } from './outcome';

export interface Removal {
	readonly sessionId: string;
	/** The person as the platform has shown them, or nothing but the ID. */
	readonly person: JsonObject;
}

/** Says whether a removal may leave now. */
export interface Permission {
	/** Why the person stays. Absent: the removal may leave. */
	readonly reason?: Reason;
	/** The time by which it has to leave, and why the person stays if it never does in time. Absent: at any time. */
	readonly latest?: { readonly atMs: number; readonly reason: Reason };
}

/** `sinceMs`: what was known before this time does not count. */
type Permit = (sinceMs: number) => Promise<Permission>;

const atAnyTime: Permit = () => Promise.resolve({});

/**
 * Removes a person. Gives the reason where the person stays, and throws the failure where the platform refuses it. Each attempt needs a
 * permission of its own. After a lost response the person may be removed whatever later attempts are told: then only a list of the
 * session without the person makes that certain, and the failure of the lost response is thrown otherwise.
 */
export async function removePerson(
	ask: Ask,
	removal: Removal,
	{ clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
	permit: Permit = atAnyTime,
): Promise<Reason | undefined> {
	const [late, failed] = [new Persistence('refusal'), new Persistence('request')];
	/** The latest failure after which the person may be removed. */
	let lost: Failure | undefined;
	const stayFor = async (reason: Reason) =>
		lost ? await checkRemoved(ask, removal, lost) : reason;
	for (let sinceMs = -Infinity; ; sinceMs = clock.now()) {
		const { reason, latest } = await permit(sinceMs);
		if (reason) return await stayFor(reason);
		const failure = await sendRemoval(ask, removal, latest?.atMs);
		if (!failure) return undefined;
		const { isPassing, effectOnPerson } = meaningOf(failure);
		if (failure.cause === 'not_found' && lost) return await checkRemoved(ask, removal, lost);
		if (effectOnPerson === 'perhaps') lost = failure;
		let waitMs: number | undefined;
		if (latest && failure.cause === 'time_over') {
			// It waits for its turn like a refused one: the platform was not asked.
			waitMs = late.failed(clock.now());
			if (waitMs === undefined) return await stayFor(latest.reason);
		} else if (isPassing && (latest || failure.cause !== 'rate_limited')) {
			// Without a latest time the client has already waited for the limit for as long as anybody does.
			waitMs = failed.failed(clock.now());
		}
		if (waitMs === undefined) throw lost ?? failure;
		await clock.sleep(waitMs, signal);
	}
}

/** Only `removePerson` repeats a removal, because one whose response got lost is answered with a 404 the next time. */
async function sendRemoval(
	ask: Ask,
	{ sessionId, person }: Removal,
	deadlineAtMs?: number,
): Promise<Failure | undefined> {
	const path = pathTo`/sessions/${sessionId}/people/${person.id}`;
	const common = { retry: 'onlyWhenRefused', timeoutMs: longestResponseMs, deadlineAtMs } as const;
	return await ask({ method: 'DELETE', path, ...common }).then(() => undefined, asFailure);
}

async function checkRemoved(ask: Ask, removal: Removal, lost: Failure): Promise<undefined> {
	if ((await afterMissing(ask, removal)) !== 'removed') throw lost;
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
	const email = shownEmailOf(person);
	const path = pathTo`/sessions/${sessionId}/people`;
	if (email === '') return new Failure('unexpected_shape', { method: 'GET', path });
	const search = await findByEmail(ask, sessionId, email).catch(asFailure);
	if (search instanceof Failure) return search;
	const { request, listed, people } = search;
	if (people.length > 0 || listed.some(({ id }) => id === person.id)) return 'stillThere';
	// Where the list shows other people, the platform has ignored the filter, and the person may be on any page.
	return listed.length === 0 ? 'removed' : new Failure('unexpected_shape', request);
}
