import type { Cause } from '../client/cause';
import { Failure } from '../client/failure';

interface Meaning {
	/** The same request may succeed later in the run. After which failures the client tries for some seconds before is said by `afterResponse.ts`. */
	isPassing?: true;
	/**
	 * The effect on the people in the request, or of a read how it failed:
	 *
	 *   refused  one of the people is why the platform refused it; a read is refused as it was asked for
	 *   perhaps  nobody knows whether they are registered; a read failed
	 *   none     they certainly are not, and none of them is why; a read did not reach what was asked for
	 */
	effectOnPerson: 'refused' | 'perhaps' | 'none';
	/** The scope within which every other request would be refused too. Absent: others may succeed. */
	ends?: 'session' | 'run';
	/** One of the people in the request may be why, until several in a row are refused: a firewall refuses a value that looks like code. */
	mayBeAboutPeople?: true;
	/**
	 * Another source may have what was to be read, such as the attributes of the workspace for the form of a session. A 403 closes one
	 * source only. A 422 says that the id itself is no id, which no source can have.
	 */
	mayBeElsewhere?: true;
	/** The platform may have no record with the requested id. A response of an unexpected shape shows that there is one. */
	isIdUnknown?: true;
	/**
	 * The platform may not offer such records at all, so that a caller that can do without them does. A 403 says that it does; a 422 may be
	 * about a filter or an include that it does not know.
	 */
	isNotOffered?: true;
	/** What was asked for may not be there yet, such as the results of a job that is under way: a refusal with 4xx, or a list without its records. */
	isNotYet?: true;
}

const noEffectForGood: Meaning = { effectOnPerson: 'none', ends: 'run' };
const refused: Meaning = { effectOnPerson: 'refused', isNotYet: true };
const noEffectNow: Meaning = { isPassing: true, effectOnPerson: 'none' };
const perhapsDone: Meaning = { isPassing: true, effectOnPerson: 'perhaps' };

const unknownId: Omit<Meaning, 'effectOnPerson'> = {
	mayBeElsewhere: true,
	isIdUnknown: true,
	isNotOffered: true,
};

/** What each cause means for a person, a session and a run. A few readers also ask for single causes; the texts for people are in `messages.ts`. */
const meanings: Readonly<Record<Cause, Meaning>> = {
	unauthorized: noEffectForGood,
	reconnect: noEffectForGood,
	missing_scope: { ...noEffectForGood, mayBeElsewhere: true },
	workspace_blocked: noEffectForGood,
	forbidden: { effectOnPerson: 'none', ends: 'session', mayBeElsewhere: true },
	allowance_spent: noEffectForGood,
	not_found: { ...unknownId, effectOnPerson: 'none', ends: 'session', isNotYet: true },
	no_endpoint: { effectOnPerson: 'none', ends: 'run', mayBeElsewhere: true, isNotOffered: true },
	session_closed: { effectOnPerson: 'none', ends: 'session' },
	page_out_of_range: refused,
	nothing_or_filter: { effectOnPerson: 'refused', ...unknownId },
	already_exists: refused,
	refused: { ...refused, ...unknownId },
	unprocessable: { ...refused, isIdUnknown: true, isNotOffered: true },
	rate_limited: noEffectNow,
	quota_spent: noEffectForGood,
	platform_error: perhapsDone,
	unconfirmed: perhapsDone,
	unreachable: noEffectNow,
	not_from_api: { ...noEffectForGood, mayBeAboutPeople: true, isNotYet: true },
	not_json: perhapsDone,
	unexpected_shape: { ...perhapsDone, mayBeElsewhere: true, isNotOffered: true },
	incomplete_list: { ...perhapsDone, isNotYet: true },
	time_over: noEffectForGood,
};

export function meaningOf({ cause }: Failure): Meaning {
	return meanings[cause];
}

/*
 * Three questions that are near each other: would the same request fail again (`isLasting`), would every other request of the run fail as well,
 * and for good (`endsRun`), or for good or for the moment (`concernsOthers`)?
 */

/** Asking again in the same run would bring the same failure. */
export function isLasting(error: unknown): error is Failure {
	return error instanceof Failure && meaningOf(error).isPassing !== true;
}

/** Nobody knows whether the platform did what it was asked. What is no failure, such as a cancellation, may have come after the request had left. */
export function mayHaveActed(error: unknown): boolean {
	return !(error instanceof Failure) || meaningOf(error).effectOnPerson === 'perhaps';
}

/** Whatever follows in the run would fail as well. */
export function endsRun(failure: Failure): boolean {
	return meaningOf(failure).ends === 'run';
}

/** Other requests meet it as well, for good or for the moment. Any other failure is a refusal of what the request names, or says. */
export function concernsOthers(failure: Failure): boolean {
	return endsRun(failure) || !isLasting(failure);
}

/** Such an error may also have another cause. */
export function isNotOffered(error: unknown): boolean {
	return error instanceof Failure && meaningOf(error).isNotOffered === true;
}
