import type { Cause } from '../client/cause';
import { Failure } from '../client/failure';

/** The consequences of a failed request. */
export interface Meaning {
	/** The same request may go well a moment later. */
	isPassing?: true;
	/** The effect on the people in the request: `refused`, because of one of them; `perhaps` registered, which nobody knows; or certainly `unsent`. */
	effectOnPerson: 'refused' | 'perhaps' | 'unsent';
	/** Every other request would be refused too: for this session, or in this run. */
	ends?: 'session' | 'run';
	/** Another source may have what was to be read. */
	mayBeElsewhere?: true;
	/** The platform knows nothing by the id that was asked for. */
	isIdUnknown?: true;
	/** The platform may not have what was asked for at all, so that whatever can do without it does. */
	isNotOffered?: true;
}

const endsRun: Meaning = { effectOnPerson: 'unsent', ends: 'run' };
const refused: Meaning = { effectOnPerson: 'refused' };
const unsentNow: Meaning = { isPassing: true, effectOnPerson: 'unsent' };
/** The meaning of a request that was sent and had no usable response. */
export const perhapsDone: Meaning = { isPassing: true, effectOnPerson: 'perhaps' };

const unknownId: Omit<Meaning, 'effectOnPerson'> = {
	mayBeElsewhere: true,
	isIdUnknown: true,
	isNotOffered: true,
};

/** The consequences of each cause. All decisions that depend on a cause are taken from this table; the texts for people are in `messages.ts`. */
export const meanings: Readonly<Record<Cause, Meaning>> = {
	unauthorized: endsRun,
	reconnect: endsRun,
	missing_scope: { ...endsRun, mayBeElsewhere: true },
	workspace_blocked: endsRun,
	forbidden: { effectOnPerson: 'unsent', ends: 'session', mayBeElsewhere: true },
	allowance_spent: endsRun,
	not_found: { ...unknownId, effectOnPerson: 'unsent', ends: 'session' },
	no_endpoint: { effectOnPerson: 'unsent', ends: 'run', mayBeElsewhere: true, isNotOffered: true },
	page_out_of_range: refused,
	nothing_or_filter: { ...refused, ...unknownId },
	already_exists: refused,
	refused: { ...refused, ...unknownId },
	unprocessable: { ...refused, isIdUnknown: true, isNotOffered: true },
	rate_limited: unsentNow,
	quota_spent: endsRun,
	quota_reserved: endsRun,
	platform_error: perhapsDone,
	unconfirmed: perhapsDone,
	unreachable: unsentNow,
	not_json: perhapsDone,
	unexpected_shape: { ...perhapsDone, mayBeElsewhere: true, isNotOffered: true },
	time_over: endsRun,
};

/** Gives the consequences of a failed request. */
export function meaningOf({ cause }: Failure): Meaning {
	return meanings[cause];
}

/** Whether an error may only mean that the platform does not offer what was asked for. */
export function isNotOffered(error: unknown): boolean {
	return error instanceof Failure && meaningOf(error).isNotOffered === true;
}
