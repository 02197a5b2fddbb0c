import type { Clock } from '../client/clock';
import { asFailure, Failure } from '../client/failure';
import { Persistence, type Activity } from '../client/patience';
import { longestPauseMs } from '../client/retryPolicy';
import { meaningOf } from './meaning';

/**
 * Repeats an attempt whose answer got lost until it has one, or the patience of the activity is over. What certainly did not happen, such
 * as a request that never arrived or was turned away, the client has repeated for as long as anybody does.
 */
export async function persist<Result>(
	activity: Activity,
	attempt: () => Promise<Result>,
	{ clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<Result> {
	const persistence = new Persistence(activity);
	for (;;) {
		const result = await attempt().catch(asFailure);
		if (!(result instanceof Failure)) return result;
		const waitMs = isLost(result)
			? persistence.failed(clock.now(), { retryAt: result.retryAt })
			: undefined;
		if (waitMs === undefined || waitMs > longestPauseMs) throw result;
		await clock.sleep(waitMs, signal);
	}
}

/** The platform may have done what it was asked, and asking again may tell. */
function isLost(failure: Failure): boolean {
	const { isPassing, effectOnPerson } = meaningOf(failure);
	return isPassing === true && effectOnPerson === 'perhaps';
}
