import { Cancelled, Failure } from '../http/failure';
import { onAbort } from '../http/onAbort';
import { longestPauseMs, type ApiRequest, type Clock, type Pace } from '../http/ports';
import { observe, rateOf, type Consumption } from './consumption';
import { afterSending, learn, perSecond, slot, startRhythm } from './rhythm';

interface Waiter {
	request: ApiRequest;
	/** Tells that the waiter is first in the line, or has to look again. */
	wake: () => void;
}

export function createPace({
	clock,
	perSecond: limit = 5,
}: {
	clock: Clock;
	perSecond?: number;
}): Pace {
	let rhythm = startRhythm(limit);
	let consumption: Consumption = [];
	const line: Waiter[] = [];

	/** Why the waiter at this place of the line should not wait any longer. */
	function refusal(waiter: Waiter): Failure | undefined {
		const now = clock.now();
		if (rhythm.spentUntil > now) {
			return new Failure('quota_spent', waiter.request, {
				status: 429,
				retryAt: rhythm.returnsAt,
			});
		}
		const at = slot(rhythm, now, line.indexOf(waiter));
		const pause = rhythm.pausedUntil - now;
		if (at <= (waiter.request.deadline ?? Infinity) && pause <= longestPauseMs) return undefined;
		return new Failure(pause > 0 ? 'rate_limited' : 'time_over', waiter.request, { retryAt: at });
	}

	async function wait(waiter: Waiter, changed: () => Promise<void>, signal?: AbortSignal) {
		for (;;) {
			if (signal?.aborted) throw new Cancelled();
			const failure = refusal(waiter);
			if (failure) throw failure;
			if (line[0] !== waiter) {
				await changed();
				continue;
			}
			const now = clock.now();
			const at = slot(rhythm, now);
			if (at <= now) return now;
			await clock.sleep(at - now, signal);
		}
	}

	return {
		async turn(request, signal) {
			let look = () => {};
			const waiter: Waiter = { request, wake: () => look() };
			const changed = () => new Promise<void>((resolve) => (look = resolve));
			const leave = onAbort(signal, waiter.wake);
			line.push(waiter);
			try {
				const now = await wait(waiter, changed, signal);
				rhythm = afterSending(rhythm, now);
				return now;
			} finally {
				leave();
				line.splice(line.indexOf(waiter), 1);
				line[0]?.wake();
			}
		},
		learn(answer, sentAt = clock.now()) {
			const before = rhythm;
			rhythm = learn(rhythm, answer, sentAt, clock.now());
			consumption = observe(consumption, rhythm.monthlyRemaining, clock.now());
			const longer =
				rhythm.pausedUntil > before.pausedUntil || rhythm.spentUntil > before.spentUntil;
			if (longer) for (const waiter of [...line]) waiter.wake();
		},
		usage: () => ({
			perSecond: perSecond(rhythm),
			monthlyLimit: rhythm.monthlyLimit,
			monthlyRemaining: rhythm.monthlyRemaining,
			rate: rateOf(consumption, rhythm.monthlyRemaining, clock.now()),
		}),
	};
}

const paces = new Map<string, Pace>();

/** The one pace of this process for a base URL and credential, whatever node or run asks. */
export function paceFor(key: string, clock: Clock): Pace {
	const pace = paces.get(key) ?? createPace({ clock });
	paces.set(key, pace);
	return pace;
}
