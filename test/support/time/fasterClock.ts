import { clock } from '../../../nodes/EventPlatform/n8n/clock';

export const faster = 20;

/**
 * To import where waiting is not what is tested: the connector's own time passes twenty times as fast as n8n's. Not where
 * it compares its time with that of the platform.
 */
const { now, sleep } = clock;
const begun = now();

Object.assign(clock, {
	now: () => begun + (now() - begun) * faster,
	sleep: (ms: number, signal?: AbortSignal) => sleep(ms / faster, signal),
});
