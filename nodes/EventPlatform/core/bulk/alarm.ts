import type { Clock } from '../http/ports';

/** Waits for a moment or for a ring, whichever comes first. */
export class Alarm {
	ring = () => {};

	constructor(
		private readonly clock: Clock,
		private readonly signal?: AbortSignal,
	) {}

	async until(at: number): Promise<void> {
		const enough = new AbortController();
		const rung = new Promise<void>((resolve) => (this.ring = resolve));
		const ring = () => this.ring();
		this.signal?.addEventListener('abort', ring);
		const waitMs = Math.max(0, at - this.clock.now());
		const slept = waitMs < Infinity && this.clock.sleep(waitMs, enough.signal).catch(() => {});
		await (slept ? Promise.race([rung, slept]) : rung);
		this.signal?.removeEventListener('abort', ring);
		enough.abort();
	}
}
