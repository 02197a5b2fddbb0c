import type { JsonObject } from '../values/json';

/** The decision about a delivery. */
export type DeliveryDecision = StartDecision | OtherDecision;

export interface StartDecision {
	kind: 'start';
	/** The items that the run starts with. */
	items: JsonObject[];
	reason: string;
	/** To be called when it is known whether n8n could create the run. */
	onCreated(this: void, isCreated: boolean): void;
}

export interface OtherDecision {
	/**
	 *   ignore      answered well, so that the platform neither comes again nor disables the subscription
	 *   retryLater  the platform is to come again
	 *   forged      the answer tells nothing
	 *   unreadable  the body is no JSON
	 */
	kind: 'ignore' | 'retryLater' | 'forged' | 'unreadable';
	reason: string;
	/** It may be a genuine delivery that is lost until a person changes something, which the reason names. */
	needsAttention?: true;
}

const statuses = { start: 200, ignore: 200, retryLater: 503, forged: 401, unreadable: 400 };

/** The HTTP status that answers the delivery. */
export function statusOf({ kind }: DeliveryDecision): number {
	return statuses[kind];
}

export function ignore(reason: string): OtherDecision {
	return { kind: 'ignore', reason };
}

/** Ignores a delivery that may be genuine, and would start a run if a person changed something. */
export function askForAttention(reason: string): OtherDecision {
	return { kind: 'ignore', reason, needsAttention: true };
}

export function retryLater(reason: string): OtherDecision {
	return { kind: 'retryLater', reason };
}

export function callForged(reason: string): OtherDecision {
	return { kind: 'forged', reason };
}

/** The reasons of decisions that are made in more than one place. */
export const excluded = 'The filters exclude it';
export const repeated = 'It was received before';
