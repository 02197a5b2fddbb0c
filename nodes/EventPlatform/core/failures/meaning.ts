import type { Cause } from '../client/cause';
import { Failure } from '../client/failure';

/** The consequences of a failed request. */
export interface Meaning {
	/** The same request may go well a moment later. */
	isPassing?: true;
	/** The consequence for the people in the request: one of them is the reason; nobody knows whether it was done; it was certainly not done. */
	person: 'refused' | 'perhaps' | 'unsent';
	/** Every other request would be refused too: for this session, or in this run. */
	ends?: 'session' | 'run';
	/** Another source may have what was to be read. */
	mayBeElsewhere?: true;
	/** The platform knows nothing by the id that was asked for. */
	deniesId?: true;
	/** The platform may not have what was asked for at all, so that whatever can do without it does. */
	isNotOffered?: true;
}

const endsRun: Meaning = { person: 'unsent', ends: 'run' };
const refused: Meaning = { person: 'refused' };
const unsentNow: Meaning = { isPassing: true, person: 'unsent' };
/** The meaning of a request that was sent and not answered as it should be. */
export const perhapsDone: Meaning = { isPassing: true, person: 'perhaps' };

const unknownId = { mayBeElsewhere: true, deniesId: true, isNotOffered: true } as const;

/** All decisions that depend on a cause are taken from this table. Its texts for people are in `messages.ts`. */
export const meanings: Readonly<Record<Cause, Meaning>> = {
	unauthorized: endsRun,
	reconnect: endsRun,
	missing_scope: { ...endsRun, mayBeElsewhere: true },
	workspace_blocked: endsRun,
	forbidden: { person: 'unsent', ends: 'session', mayBeElsewhere: true },
	allowance_spent: endsRun,
	not_found: { ...unknownId, person: 'unsent', ends: 'session' },
	no_endpoint: { person: 'unsent', ends: 'run', mayBeElsewhere: true, isNotOffered: true },
	page_out_of_range: refused,
	nothing_or_filter: { ...refused, ...unknownId },
	already_exists: refused,
	refused: { ...refused, ...unknownId },
	unprocessable: { ...refused, deniesId: true, isNotOffered: true },
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

export function meaningOf({ cause }: Failure): Meaning {
	return meanings[cause];
}

/** Whether an error may only mean that the platform does not offer what was asked for. */
export function isNotOffered(error: unknown): boolean {
	return error instanceof Failure && meaningOf(error).isNotOffered === true;
}
