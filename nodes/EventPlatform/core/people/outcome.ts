import { Cancelled } from '../client/clock';
import { Failure } from '../client/failure';
import type { Json, JsonObject } from '../values/json';
import { redact } from '../values/redact';
import { howRegisteredIsTold } from '../dialect/alreadyRegistered';
import { explainFailure } from '../sessions/explainFailure';
import type { SessionCache } from '../sessions/sessionCache';
import type { Reason } from './reason';
import { joinLinkColumn } from '../values/secretNames';

/** The statuses of people for whom a dry run would send something. */
const plannedStatuses = ['valid', 'would_add', 'would_update', 'would_remove'] as const;
/** The statuses of people whom Sync adds, changes, leaves as they are or removes. */
const changeStatuses = ['added', 'updated', 'not_updated', 'unchanged', 'removed', 'kept'] as const;
/** The statuses that a bulk registration and Sync give. */
const commonStatuses = ['already_registered', 'failed', 'invalid', 'duplicate', 'unknown'] as const;

/** The statuses of a registration, in the order of the interface. */
export const statuses = ['registered', ...commonStatuses] as const;
/** The statuses of Sync, which says `added` for `registered`. */
export const syncStatuses = [...changeStatuses, ...commonStatuses];
/** The statuses of runs and of dry runs, in the order in which they are counted. */
export const everyStatus = [...plannedStatuses, ...changeStatuses, ...statuses];

/** The status of a person after a run. */
export type Status = (typeof syncStatuses)[number] | (typeof statuses)[number];
/** The status of a person for whom a dry run would send something. */
export type PlannedStatus = (typeof plannedStatuses)[number];

/** The outcome of one person in a run. A person for whom nothing is to be sent has an outcome before it begins. */
export interface Outcome {
	/** The outcome in one word. */
	status: Status;
	/** The job that the person was sent with; absent where there was none. */
	jobId?: string;
	/** The part of the person's record that is shown. */
	person?: JsonObject;
	/** The answers that were changed or were to be changed; absent in a run that changes none. */
	changes?: readonly Change[];
	/** The reasons of the status, the most important one first. */
	reasons: readonly Reason[];
}

/** The preview of one person, as a dry run shows it. Where nothing would be sent, the status is that of the outcome. */
export interface Preview extends Omit<Outcome, 'status' | 'jobId'> {
	/** The preview in one word. */
	status: PlannedStatus | Status;
}

/** A change of an answer, a referrer or a UTM value, as the output shows it. */
export interface Change {
	/** The ID of the question, or the name of the value. */
	field: string;
	/** The current value on the platform; null where there is none. */
	old: Json;
	/** The desired value. */
	new: Json;
}

/** Whether a person is registered whose record does not show the personal link. */
export function isWithoutJoinLink({ status, person }: Preview): boolean {
	const isRegistered = status === 'registered' || status === 'already_registered';
	return isRegistered && (person?.[joinLinkColumn] ?? null) === null;
}

/** Gives the reason why a run, or a session in it, ended before everyone was sent and confirmed. */
export function reasonOfError(error: unknown, sessions?: SessionCache): Reason {
	if (error instanceof Cancelled) return ownReason('cancelled');
	if (!(error instanceof Failure)) {
		const message = redact(error instanceof Error ? error.message : String(error));
		return { code: 'unexpected', message };
	}
	if (error.cause === 'time_over') return ownReason('time_over');
	return { code: error.cause, message: explainFailure(error, sessions) };
}

/** The code of the doubt whether this run has registered somebody. The person is registered in any case. */
const answerLost = 'answer_lost';

/** The reasons that a run gives itself. */
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
	not_assignable: 'The platform did not say who this is about. One of these applies:',
	contradictory:
		"The platform's answers about this job contradict each other, so the result is unknown. Look for the person on the platform, or run the list again.",
};

/** Gives a reason that a run gives itself, by its code. */
export function ownReason(code: keyof typeof ownMessages): Reason {
	return { code, message: ownMessages[code] };
}

/** Gives the reasons that say more than the status. Where somebody was registered before, the platform's words only repeat the status. */
export function reasonsBeside({
	status,
	reasons,
}: Pick<Preview, 'status' | 'reasons'>): readonly Reason[] {
	const isOwnDoubt = ({ code }: Reason) => code === answerLost;
	return status === 'already_registered' ? reasons.filter(isOwnDoubt) : reasons;
}

/** Describes a row that is never sent, because something is wrong with it. */
export function notSendable(code: 'invalid' | 'duplicate', messages: readonly string[]): Outcome {
	return { status: code, reasons: messages.map((message) => ({ code, message })) };
}

/** Describes a row that is never sent, because an earlier row has the person. `more`: what is different about it. */
export function duplicateOf({ rowNumber }: { readonly rowNumber: number }, more = ''): Outcome {
	return notSendable('duplicate', [`Row ${rowNumber} has the same person${more}.`]);
}

/** Describes a person who was not sent, for a reason that lies outside the row. */
export function notSent({ code, message }: Reason): Outcome {
	return { status: 'failed', reasons: [{ code, message: `Not sent. ${message}` }] };
}

/** Describes people who were sent and may have been registered. `jobId`: their job, where the platform has named one. */
export function notConfirmed({ code, message }: Reason, jobId?: string): Outcome {
	const inWords =
		jobId === undefined
			? `Sent, but not confirmed. ${message}`
			: `The platform accepted the person, but did not confirm the registration. ${message} ${howToFindOut}`;
	return { status: 'unknown', jobId, reasons: [{ code, message: inWords }] };
}

const howToFindOut =
	"To find out, use 'Get Tasks' of 'Job' with the 'job_id', or run the list again, unless the event is public.";

/** Describes people whose request was refused as a whole. The platform's words may be about another person of the same request. */
export function refusedTogether(failure: Failure, count: number, sessions?: SessionCache): Outcome {
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
	// Where a person was alone in the request, a code tells that the person is registered (section 7).
	const isRegistered = count === 1 && howRegisteredIsTold(errors) === 'code';
	return {
		status: isRegistered ? 'already_registered' : 'failed',
		reasons: [...reasonsForAll, ...reasons],
	};
}
