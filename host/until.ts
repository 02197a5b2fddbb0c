import { setTimeout as sleep } from 'node:timers/promises';

const everyMs = 200;

/** Asks five times a second until there is an answer; fails when there is none in time. */
export async function until<T>(
	what: string,
	ask: () => Promise<T | false | undefined>,
	atMostMs = 60_000,
): Promise<T> {
	const end = Date.now() + atMostMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined && answer !== false) return answer;
		if (Date.now() > end) throw new Error(`Waited ${atMostMs / 1_000} s in vain for ${what}.`);
		await sleep(everyMs);
	}
}
