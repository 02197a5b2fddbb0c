import type { Cause } from '../client/cause';
import type { Failure } from '../client/failure';

/** The consequences of a failed request. */
export interface Meaning {
	/** The same request may go well a moment later. */
	again?: true;
	/** The consequence for the people in the request: one of them is the reason; nobody knows whether it was done; it was certainly not done. */
	person: 'refused' | 'perhaps' | 'unsent';
	/** Every other request would be refused too: for this session, or in this run. */
	ends?: 'session' | 'run';
	/** Another source may have what was to be read. */
	elsewhere?: true;
	/** The platform knows nothing by the id that was asked for. */
	denies?: true;
}

const endsRun: Meaning = { person: 'unsent', ends: 'run' };
const refused: Meaning = { person: 'refused' };
const unsentNow: Meaning = { again: true, person: 'unsent' };
/** The meaning of a request that was sent and not answered as it should be. */
export const perhapsDone: Meaning = { again: true, person: 'perhaps' };

/** All decisions that depend on a cause are taken from this table. Its texts for people are in `messages.ts`. */
export const meanings: Readonly<Record<Cause, Meaning>> = {
	unauthorized: endsRun,
	reconnect: endsRun,
	missing_scope: { ...endsRun, elsewhere: true },
	workspace_blocked: endsRun,
	forbidden: { person: 'unsent', ends: 'session', elsewhere: true },
	allowance_spent: endsRun,
	not_found: { person: 'unsent', ends: 'session', elsewhere: true, denies: true },
	no_endpoint: { person: 'unsent', ends: 'run', elsewhere: true },
	page_out_of_range: refused,
	nothing_or_filter: { ...refused, elsewhere: true, denies: true },
	already_exists: refused,
	refused: { ...refused, elsewhere: true, denies: true },
	unprocessable: { ...refused, denies: true },
	rate_limited: unsentNow,
	quota_spent: endsRun,
	quota_reserved: endsRun,
	platform_error: perhapsDone,
	unconfirmed: perhapsDone,
	unreachable: unsentNow,
	not_json: perhapsDone,
	unexpected_shape: { ...perhapsDone, elsewhere: true },
	time_over: endsRun,
};

export function meaningOf({ cause }: Failure): Meaning {
	return meanings[cause];
}
