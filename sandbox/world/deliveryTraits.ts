import type { SandboxOptions } from '../options';

type Traits = Pick<
	SandboxOptions,
	'droppedDeliveries' | 'doubledDeliveries' | 'lateDeliveries' | 'lateMs' | 'unorderedDeliveries'
>;

interface Schedule {
	/** How often it is sent. */
	times: 0 | 1 | 2;
	delayMs: number;
	/** Whether it leaves earlier, as soon as another one has left. */
	waits: boolean;
}

/** How long a delivery waits for another one at most. */
const longestWaitMs = 1_000;

/** Always four draws, so that the share of one trait does not change what the others decide. */
export function scheduleOf(traits: Traits, draw: () => number): Schedule {
	const dropped = draw() < traits.droppedDeliveries;
	const doubled = draw() < traits.doubledDeliveries;
	const late = draw() < traits.lateDeliveries;
	const waits = draw() < traits.unorderedDeliveries;
	return {
		times: dropped ? 0 : doubled ? 2 : 1,
		delayMs: late ? traits.lateMs : waits ? longestWaitMs : 0,
		waits: waits && !late,
	};
}
