import { sleep } from 'n8n-workflow';
import { Cancelled, type Clock } from '../core/client/clock';
import type { Ms } from '../core/values/units';

/**
 * No single sleep is longer than this: n8n's `sleep` cannot be interrupted, and its `sleepWithAbort` leaves a listener at the signal of the run
 * for each wait, of which a long run has thousands.
 */
const sliceMs = 250;

let latest: Ms = -Infinity;
/** How far the clock of the machine was set back altogether. */
let setBackMs = 0;

/** Never goes back. Otherwise a wait for a moment would last longer by as much as the clock was set back. */
function now(): Ms {
	const time = Date.now();
	setBackMs = Math.max(setBackMs, latest - time);
	latest = time + setBackMs;
	return latest;
}

/** The clock of this process, whose waits end when the run is cancelled. */
export const clock: Clock = {
	now,
	async sleep(ms, signal) {
		const endsAt = now() + ms;
		for (let leftMs = ms; leftMs > 0; leftMs = endsAt - now()) {
			if (signal?.aborted) throw new Cancelled();
			await sleep(Math.min(leftMs, sliceMs));
		}
		if (signal?.aborted) throw new Cancelled();
	},
};
