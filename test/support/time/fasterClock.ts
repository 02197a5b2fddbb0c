import { clock } from '../../../nodes/EventPlatform/n8n/clock';

/** How many times as fast as n8n's the connector's own time passes. */
export const faster = 20;

/**
 * A test imports this file where waiting is not what it tests. It does not fit where the connector compares its time with
 * that of the platform.
 */
const { now, sleep } = clock;
const begun = now();

Object.assign(clock, {
	now: () => begun + (now() - begun) * faster,
	sleep: (ms: number, signal?: AbortSignal) => sleep(ms / faster, signal),
});
