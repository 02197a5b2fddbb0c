/*
 * What a person gets for what came back, where no answer says what became of each: the request was refused, never left, or its answer got
 * lost. It is one decision for Bulk Register, Register and Sync, and its rows say where these differ.
 *
 * Decided elsewhere:
 *
 *   who is not sent at all        `registration/bulkPlan.ts`, `sync/plan.ts`; a dry run of Bulk Register: `actions/registration/checkSessions.ts`
 *   what an answer says           the results of a job: `jobs/assign.ts`, `registration/results.ts`; the record of an update: `amend.ts`; the
 *                                 response to Register: `actions/registration/registerPerson.ts`
 *   sent again, or looked for     after a lost answer: `registration/lostAnswer.ts`, for fifty and for one; `amend.ts`; `removal.ts`
 *   sent in another way           after a refusal: `registration/refusedBatch.ts`, in the plain form or in parts
 *   whether others are sent       `registration/carrier.ts`; for items: `failures/breaker.ts`
 */
import type { Failure } from '../client/failure';
import { howRegisteredIsTold } from '../dialect/alreadyRegistered';
import { meaningOf } from '../failures/meaning';
import { explainFailure } from '../sessions/explainFailure';
import type { SessionCache } from '../sessions/sessionCache';
import { notConfirmed, notSent, type Outcome, type Reason } from './outcome';

/**
 * What was sent:
 *
 *   batch    people whose request becomes a job: Bulk Register, and the additions of Sync (`registration/bulkRun.ts`)
 *   alone    a person who is registered within the request: Register (`registration/sendOne.ts`), whose end is an error where it is no success
 *   change   somebody who is registered, and whom Sync updates or removes (`sync/steps.ts`)
 */
type Sent = 'batch' | 'alone' | 'change';

type CameBack = 'notSent' | 'notThere' | 'refused' | 'lost' | 'lostThenRefused';

/** What is told of the person: the reason with "Not sent" or "not confirmed", or the words of the platform. */
type Told = 'notSent' | 'refused' | 'unknown';

const toldOf: Readonly<Record<CameBack, Readonly<Record<Sent, Told>>>> = {
	// It never left, or the platform takes it from nobody: the session is closed, or the token is refused.
	notSent: { batch: 'notSent', alone: 'notSent', change: 'notSent' },
	// A 404. The path of a registration names the session alone. That of a change names the person, too, who is gone while others are there.
	notThere: { batch: 'notSent', alone: 'notSent', change: 'refused' },
	// Because of what it says of the people. Register believes one that says that the person is registered already (`beliefThatRegistered`).
	refused: { batch: 'refused', alone: 'refused', change: 'refused' },
	// An attempt may have arrived, and no later one says more: it got lost as well, or was not sent.
	lost: { batch: 'unknown', alone: 'unknown', change: 'unknown' },
	// Many may be refused because the lost attempt has registered some of them, and a removal because it was made. Of one person the words say
	// that, or what the platform has had against the lost attempt as well.
	lostThenRefused: { batch: 'unknown', alone: 'refused', change: 'unknown' },
};

interface Attempts {
	/** One of them got no answer: the platform may have acted on it. */
	readonly isLost: boolean;
	/** Of the latest one. Absent: it never left. */
	readonly failure?: Failure;
}

function cameBack({ isLost, failure }: Attempts): CameBack {
	if (!failure) return isLost ? 'lost' : 'notSent';
	const { effectOnPerson } = meaningOf(failure);
	// A GET is that of the form or the list, which are asked after a lost answer. Its refusal says nothing of the people.
	const isRefused = effectOnPerson === 'refused' && failure.request.method !== 'GET';
	if (isLost) return isRefused ? 'lostThenRefused' : 'lost';
	if (effectOnPerson === 'perhaps') return 'lost';
	if (failure.cause === 'not_found') return 'notThere';
	return isRefused ? 'refused' : 'notSent';
}

/** `ifFound`: where the list of the session shows the person, or cannot be read, so that nothing speaks against it. */
type Belief = 'certain' | 'ifFound' | 'none';

/**
 * Whether it is believed that one person is registered already, because the refusal says so. Only the code is specified (section 7). Words and
 * a bare 409 mean it as a rule, and Register looks for the person anyway.
 */
function beliefThatRegistered({ cause, errors }: Failure): Belief {
	const told = howRegisteredIsTold(errors);
	if (told === 'byCode') return 'certain';
	const isStatusAlone = told === 'nothing' && cause === 'already_exists';
	return told === 'byWords' || isStatusAlone ? 'ifFound' : 'none';
}

interface Conclusion {
	readonly told: Told;
	/** That the person is registered already, as a refusal says. */
	readonly belief: Belief;
}

/** For Register, which looks for the person, or throws the failure. */
export function concludeAlone(attempts: Attempts & { readonly failure: Failure }): Conclusion {
	const told = toldOf[cameBack(attempts)].alone;
	const belief = told === 'refused' ? beliefThatRegistered(attempts.failure) : 'none';
	return { told, belief };
}

/** `reason`: why there is no answer. `count`: of the people in the request, of whom the words of a refusal may mean another one. */
export function outcomeWithoutAnswer(
	sent: 'batch' | 'change',
	{
		reason,
		count = 1,
		...attempts
	}: Attempts & { readonly reason: Reason; readonly count?: number },
	sessions?: SessionCache,
): Outcome {
	const { failure } = attempts;
	const told = toldOf[cameBack(attempts)][sent];
	if (told === 'unknown') return notConfirmed(reason);
	if (told === 'notSent' || !failure) return notSent(reason);
	return { status: 'failed', reasons: reasonsOfRefusal(failure, count, sessions) };
}

function reasonsOfRefusal(failure: Failure, count: number, sessions?: SessionCache): Reason[] {
	const message = `The platform refused a request with ${count} people, and the request was not split to find out whose values are wrong.`;
	const reasonsForAll = count > 1 ? [{ code: 'refused_together', message }] : [];
	const { cause, status, errors } = failure;
	const quotedReasons = errors.map(({ code, title, detail }) => ({
		code: code ?? String(status ?? cause),
		message: detail ?? title ?? code ?? '',
	}));
	const reasons =
		quotedReasons.length > 0
			? quotedReasons
			: [{ code: cause, message: explainFailure(failure, sessions) }];
	return [...reasonsForAll, ...reasons];
}
