import { Cancelled, type Clock } from '../../../nodes/EventPlatform/core/client/clock';
import { Agenda } from './agenda';

/** Far more than any simulation takes: work that never ends is to fail, not to hang. */
const mostSteps = 1_000_000;

/** Time that passes only when everybody waits for it, and then at once. */
export class VirtualClock implements Clock {
	private readonly agenda = new Agenda(Date.UTC(2026, 0, 1));

	now = (): number => this.agenda.nowMs;

	sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
		new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(new Cancelled());
			const cancel = () => {
				this.agenda.cancel(waking);
				reject(new Cancelled());
			};
			const waking = this.agenda.after(ms, () => {
				signal?.removeEventListener('abort', cancel);
				resolve();
			});
			signal?.addEventListener('abort', cancel, { once: true });
		});

	/** Does something later, like an outsider would. */
	later(ms: number, due: () => void): void {
		this.agenda.after(ms, due);
	}

	/** Lets time pass until the work is done. Work that waits for nothing is an error. */
	async run<T>(work: Promise<T>): Promise<T> {
		let isDone = false;
		const end = () => (isDone = true);
		work.then(end, end);
		for (let steps = 0; steps < mostSteps; steps++) {
			await new Promise(setImmediate);
			if (isDone) return await work;
			if (!this.agenda.next()) {
				throw new Error('Nothing is under way, and yet the work is not done');
			}
		}
		throw new Error('The work goes on without an end');
	}
}
