import { Cancelled } from '../client/clock';
import { thousands } from '../values/text';
import { Failure } from '../client/failure';
import type { Json, JsonObject } from '../values/json';
import { explainFailure } from '../sessions/explainFailure';
import type { SessionCache } from '../sessions/sessionCache';
import { joinLinkColumn, redact } from '../values/secrets';
import type { Seconds } from '../values/units';

const plannedStatuses = ['valid', 'would_add', 'would_update', 'would_remove'] as const;
const changeStatuses = ['added', 'updated', 'not_updated', 'unchanged', 'removed', 'kept'] as const;
const commonStatuses = ['already_registered', 'failed', 'invalid', 'duplicate', 'unknown'] as const;

export const statuses = ['registered', ...commonStatuses] as const;
export const syncStatuses = [...changeStatuses, ...commonStatuses];
export const everyStatus = [...plannedStatuses, ...changeStatuses, ...statuses];

export type Status = (typeof everyStatus)[number];

interface StatusTraits {
	/** The person was to be changed, and was not, or nobody knows whether. Such people are what "failed" people are for users. */
	readonly isFailed?: true;
	/** Nothing was done for the person. A run in which nobody has another status has done nothing. */
	readonly isFruitless?: true;
	/** The row may be mended and sent again. */
	readonly isToCorrect?: true;
	/** The person is registered since this run, or would be. */
	readonly isNew?: true;
	/** Absent: the name of the status. */
	readonly inWords?: string;
}

export const traitsOfStatus: Readonly<Record<Status, StatusTraits>> = {
	valid: { isNew: true },
	would_add: { isNew: true, inWords: 'would be added' },
	would_update: { inWords: 'would be updated' },
	would_remove: { inWords: 'would be removed' },
	added: { isNew: true },
	updated: {},
	not_updated: { isFailed: true, isFruitless: true },
	unchanged: {},
	removed: {},
	kept: { isFailed: true, isFruitless: true },
	registered: { isNew: true },
	already_registered: {},
	failed: { isFailed: true, isFruitless: true, isToCorrect: true },
	invalid: { isFailed: true, isFruitless: true, isToCorrect: true },
	duplicate: { isFruitless: true },
	/*
	 * The platform may have done what was asked, and nobody knows:
	 *
	 *   notConfirmed                           an answer got lost, or a job was not read to its end; in Sync an update is confirmed neither by its
	 *                                          answer nor by another reading (syncRun.ts), or the platform does not find whom to remove, and the
	 *                                          list does not tell (removals.ts)
	 *   outcomeLeftOpen of jobs/assign.ts      the results do not tell
	 *   notAwaited of registration/bulkRun.ts  nobody waited for them
	 *
	 * Two operations have the word without an `Outcome`: Get Tasks for a result that the job counts and the platform does not show yet
	 * (jobs/jobPeople.ts), and Wait for a job that it could not read in time (actions/job/wait.ts).
	 */
	unknown: { isFailed: true },
};

export interface Reason {
	code: string;
	message: string;
}

/** The outcome of one person in a run, or as a dry run foretells it. A person for whom nothing is to be sent has an outcome before the run begins. */
export interface Outcome {
	status: Status;
	jobId?: string;
	person?: JsonObject;
	changes?: readonly Change[];
	reasons: readonly Reason[];
}

export interface Change {
	field: string;
	old: Json;
	new: Json;
}

export function isWithoutJoinLink({ status, person }: Outcome): boolean {
	const isRegistered = status === 'registered' || status === 'already_registered';
	return isRegistered && (person?.[joinLinkColumn] ?? null) === null;
}

export function reasonOfError(error: unknown, sessions?: SessionCache): Reason {
	if (error instanceof Cancelled) return ownReason('cancelled');
	if (!(error instanceof Failure)) {
		const message = redact(error instanceof Error ? error.message : String(error));
		return { code: 'unexpected', message };
	}
	// The text of the failure is about one request; here the time of the whole run is over.
	if (error.cause === 'time_over') return ownReason('time_over');
	return { code: error.cause, message: explainFailure(error, sessions) };
}

/** The code of the doubt whether this run has registered somebody. The person is registered in any case. */
const answerLost = 'answer_lost';

const ownMessages = {
	cancelled: 'The run was cancelled.',
	time_over: "The time for this run ran out. Run the list again, or raise 'Max Wait'.",
	not_awaited: 'Sent, but the node did not wait for the result.',
	[answerLost]:
		'The answer to an earlier request with this person got lost, so this run may have registered the person',
	not_repeated:
		'The answer got lost, and nothing was sent again, because a public event would register the same people twice. Look for the person on the platform.',
	not_listed:
		'The answer got lost, and nothing was sent again, because neither the form of the event nor its list of people shows whether that would register anybody twice. Look for the person on the platform, and send only those again who are not there.',
	no_result: 'The job is over, but the platform gave no result for this person.',
	one_of_these: 'The platform did not say who failed for which reason. One of these applies:',
	not_assignable: 'The platform did not say who this is about. One of these applies:',
	contradictory:
		"The platform's answers about this job contradict each other, so the result is unknown. Look for the person on the platform, or run the list again.",
};

export function ownReason(code: keyof typeof ownMessages): Reason {
	return { code, message: ownMessages[code] };
}

/** The time of a run is over, and every request of its last seconds has failed. */
export function failedUntilTimeOver(seconds: Seconds, { message }: Reason): Reason {
	const duration = `For the last ${thousands(seconds)} s every request had failed.`;
	return { code: 'time_over', message: `The time for this run ran out. ${duration} ${message}` };
}

/** Where somebody was registered before, the platform's words only repeat the status. */
export function reasonsBeside({
	status,
	reasons,
}: Pick<Outcome, 'status' | 'reasons'>): readonly Reason[] {
	const isOwnDoubt = ({ code }: Reason) => code === answerLost;
	return status === 'already_registered' ? reasons.filter(isOwnDoubt) : reasons;
}

export function notSendable(code: 'invalid' | 'duplicate', messages: readonly string[]): Outcome {
	return { status: code, reasons: messages.map((message) => ({ code, message })) };
}

/** Describes a row that is never sent, because an earlier row has the person. `more`: what is different about it. */
export function duplicateOf({ rowNumber }: { readonly rowNumber?: number }, more = ''): Outcome {
	return notSendable('duplicate', [`Row ${rowNumber} has the same person${more}.`]);
}

export function notSent({ code, message }: Reason): Outcome {
	return { status: 'failed', reasons: [{ code, message: `Not sent. ${message}` }] };
}

/**
 * Describes people of whom nobody knows whether the platform has done what was asked: after a lost answer (`conclusion.ts`,
 * registration/lostAnswer.ts), after an update or a removal in doubt (sync), or where a job could not be read to its end. `jobId`: their
 * job, where the platform has named one.
 */
export function notConfirmed({ code, message }: Reason, jobId?: string): Outcome {
	const inWords =
		jobId === undefined
			? `Sent, but not confirmed. ${message}`
			: `The platform accepted the person, but did not confirm the registration. ${message} ${howToFindOut}`;
	return { status: 'unknown', jobId, reasons: [{ code, message: inWords }] };
}

const howToFindOut =
	"To find out, use 'Get Tasks' of 'Job' with the 'job_id', or run the list again, unless the event is public.";

/** Puts reasons into one sentence; undefined where there is nothing to say. */
export function reasonOf(reasons: readonly Reason[]): string | undefined {
	const messages = [...new Set(reasons.map(({ message }) => message.trim()))].filter(Boolean);
	if (messages.length === 0) return undefined;
	const parts = messages.map((message) => message.replace(/\.$/, ''));
	const sentence = parts.join('; ').replaceAll(':; ', ': ');
	return /[!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
