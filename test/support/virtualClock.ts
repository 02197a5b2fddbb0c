import { Cancelled } from '../../nodes/EventPlatform/core/http/failure';
import type { Clock } from '../../nodes/EventPlatform/core/http/ports';

interface Timer {
	at: number;
	order: number;
	due: () => void;
}

/** Far more than any simulation takes: work that never ends is to fail, not to hang. */
const mostSteps = 1_000_000;

/** Time that passes only when everybody waits for it, and then at once. */
export class VirtualClock implements Clock {
	private time = Date.UTC(2026, 0, 1);
	private readonly timers: Timer[] = [];
	private order = 0;

	now = (): number => this.time;

	sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
		new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(new Cancelled());
			const cancel = () => {
				this.timers.splice(this.timers.indexOf(timer), 1);
				reject(new Cancelled());
			};
			const due = () => {
				signal?.removeEventListener('abort', cancel);
				resolve();
			};
			const timer = this.push(ms, due);
			signal?.addEventListener('abort', cancel, { once: true });
		});

	/** Does something later, like an outsider would. */
	later(ms: number, due: () => void): void {
		this.push(ms, due);
	}

	/** Lets time pass until the work is done. Work that waits for nothing is an error. */
	async run<T>(work: Promise<T>): Promise<T> {
		let isDone = false;
		const end = () => (isDone = true);
		work.then(end, end);
		for (let steps = 0; steps < mostSteps; steps++) {
			await new Promise(setImmediate);
			if (isDone) return await work;
			const timer = this.timers.pop();
			if (!timer) throw new Error('Nothing is under way, and yet the work is not done');
			this.time = Math.max(this.time, timer.at);
			timer.due();
		}
		throw new Error('The work goes on without an end');
	}

	private push(ms: number, due: () => void): Timer {
		const timer = { at: this.time + Math.max(0, ms), order: this.order++, due };
		// Few are open at a time, and most are the latest.
		let place = this.timers.length;
		while (place > 0 && isAfter(timer, this.timers[place - 1])) place -= 1;
		this.timers.splice(place, 0, timer);
		return timer;
	}
}

/** The next one stands last. */
function isAfter(one: Timer, other?: Timer): boolean {
	if (!other) return false;
	return one.at === other.at ? one.order > other.order : one.at > other.at;
}
