import { clock } from '../../../nodes/EventPlatform/n8n/clock';

/** How many times as fast as n8n's the connector's own time passes. */
export const faster = 20;

/** How often it is looked whether the machine has stalled, and how late such a look may come. */
const lookMs = 10;
const latestLookMs = 40;

/**
 * A test imports this file where waiting is not what it tests. It does not fit where the connector compares its time with
 * that of the platform. While the machine is busy with something else no time passes: one such second would be twenty.
 */
const { now, sleep } = clock;
const begun = now();
let lookedAt = performance.now();
let stalledMs = 0;

function look(): void {
	const time = performance.now();
	stalledMs += Math.max(0, time - lookedAt - latestLookMs);
	lookedAt = time;
}

const looks = setInterval(look, lookMs);
afterAll(() => clearInterval(looks));

Object.assign(clock, {
	now() {
		look();
		return begun + (now() - begun - stalledMs) * faster;
	},
	async sleep(ms: number, signal?: AbortSignal) {
		const endsAt = clock.now() + ms;
		await sleep(ms / faster, signal);
		for (let leftMs = endsAt - clock.now(); leftMs > 0; leftMs = endsAt - clock.now()) {
			await sleep(leftMs / faster, signal);
		}
	},
});
