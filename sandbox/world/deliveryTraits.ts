import type { SandboxOptions } from '../options';

type Traits = Pick<
	SandboxOptions,
	'droppedDeliveries' | 'doubledDeliveries' | 'lateDeliveries' | 'lateMs'
>;

interface Schedule {
	/** How often it is sent. */
	times: 0 | 1 | 2;
	delayMs: number;
}

/** Always three draws, so that the share of one trait does not change what the others decide. */
export function scheduleOf(traits: Traits, draw: () => number): Schedule {
	const dropped = draw() < traits.droppedDeliveries;
	const doubled = draw() < traits.doubledDeliveries;
	const late = draw() < traits.lateDeliveries;
	return { times: dropped ? 0 : doubled ? 2 : 1, delayMs: late ? traits.lateMs : 0 };
}
