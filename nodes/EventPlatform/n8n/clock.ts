import { sleep } from 'n8n-workflow';
import { Cancelled } from '../core/client/cancelled';
import type { Clock } from '../core/client/clock';

/** Versions of n8n before 2 cannot interrupt a sleep, so none is longer. */
const sliceMs = 250;

/** Never goes back: what waits for a moment would wait longer by as much as the clock was set back. */
export function steady(read: () => number): () => number {
	let latest = -Infinity;
	let setBackMs = 0;
	return () => {
		const time = read();
		setBackMs = Math.max(setBackMs, latest - time);
		latest = time + setBackMs;
		return latest;
	};
}

const now = steady(() => Date.now());

export const clock: Clock = {
	now,
	async sleep(ms, signal) {
		const end = now() + ms;
		for (let left = ms; left > 0; left = end - now()) {
			if (signal?.aborted) throw new Cancelled();
			await sleep(Math.min(left, sliceMs));
		}
		if (signal?.aborted) throw new Cancelled();
	},
};
