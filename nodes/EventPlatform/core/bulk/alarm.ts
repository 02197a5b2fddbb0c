import type { Clock } from '../http/ports';

/** Waits for a moment, for `ring` or for a cancel, whichever comes first. */
export class Alarm {
	private wake = () => {};

	constructor(
		private readonly clock: Clock,
		private readonly signal?: AbortSignal,
	) {}

	readonly ring = (): void => this.wake();

	async until(at: number): Promise<void> {
		const enough = new AbortController();
		const rung = new Promise<void>((resolve) => (this.wake = resolve));
		this.signal?.addEventListener('abort', this.ring);
		const waitMs = Math.max(0, at - this.clock.now());
		const slept = waitMs < Infinity && this.clock.sleep(waitMs, enough.signal).catch(() => {});
		await (slept ? Promise.race([rung, slept]) : rung);
		this.signal?.removeEventListener('abort', this.ring);
		// With a reason of its own: the usual one is an error, whose stack would hold the whole run.
		enough.abort('The wait is over');
	}
}
