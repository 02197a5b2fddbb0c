import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import {
	concernsOthers,
	isNotOffered,
	meaningOf,
} from '../../../nodes/EventPlatform/core/failures/meaning';

/** What each cause says of the people in the request, of the rest of the run, and of what was asked for. */
const told: Record<Cause, string> = {
	unauthorized: 'none, ends run',
	reconnect: 'none, ends run',
	missing_scope: 'none, ends run',
	workspace_blocked: 'none, ends run',
	forbidden: 'none, ends session, concerns no other',
	allowance_spent: 'none, ends run',
	not_found: 'none, ends session, concerns no other, unknown ID, not offered',
	no_endpoint: 'none, ends run, not offered',
	page_out_of_range: 'refused, concerns no other',
	nothing_or_filter: 'refused, concerns no other, unknown ID, not offered',
	already_exists: 'refused, concerns no other',
	session_closed: 'none, ends session, concerns no other',
	refused: 'refused, concerns no other, unknown ID, not offered',
	unprocessable: 'refused, concerns no other, unknown ID, not offered',
	rate_limited: 'passing, none',
	quota_spent: 'none, ends run',
	platform_error: 'passing, perhaps',
	unconfirmed: 'passing, perhaps',
	unreachable: 'passing, none',
	not_from_api: 'none, ends run',
	not_json: 'passing, perhaps',
	unexpected_shape: 'passing, perhaps, not offered',
	incomplete_list: 'passing, perhaps',
	time_over: 'none, ends run',
};

test.each(Object.entries(told) as Array<[Cause, string]>)('"%s" means "%s"', (cause, expected) => {
	const failure = new Failure(cause, { method: 'POST', path: '/sessions/s1/people' });
	const { isPassing, effectOnPerson, ends, isIdUnknown } = meaningOf(failure);
	const parts = [
		isPassing && 'passing',
		effectOnPerson,
		ends && `ends ${ends}`,
		!concernsOthers(failure) && 'concerns no other',
		isIdUnknown && 'unknown ID',
		isNotOffered(failure) && 'not offered',
	];
	expect(parts.filter(Boolean).join(', ')).toBe(expected);
});
