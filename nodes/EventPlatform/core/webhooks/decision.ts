import type { JsonObject } from '../values/json';
import { redact } from '../values/secrets';
import type { LookupResult } from './lookupBudget';
import type { Ms } from '../values/units';

export type DeliveryDecision = StartDecision | OtherDecision;

export interface StartingEvent {
	eventType: string;
	eventKeys: readonly string[];
	/** By the platform's clock; absent where its record does not tell it. */
	happenedAtMs?: Ms;
}

/** The decision that a delivery starts a run. The history has to be told whether n8n could create it. */
export interface StartDecision extends StartingEvent {
	kind: 'start';
	items: JsonObject[];
}

export interface OtherDecision {
	/**
	 *   ignore      accepted, so that the platform neither comes again nor disables the subscription
	 *   retryLater  the platform is to come again
	 *   forged      the response tells nothing
	 *   unreadable  the body is no JSON, which the platform never sends; without an event nothing tells which attempt it is, so each gets the same response
	 */
	kind: 'ignore' | 'retryLater' | 'forged' | 'unreadable';
	reason: string;
	/** It may be a genuine delivery that is lost until a person changes something, which the reason names. */
	needsAttention?: true;
	/** The names of the members of a delivery that is not read, without their values, so that somebody can tell what it looks like. */
	members?: string;
	/** The delivery is believed, and the choices of people leave it out. */
	isProven?: true;
}

const httpStatuses = { start: 200, ignore: 200, retryLater: 503, forged: 401, unreadable: 400 };

export function statusOf({ kind }: DeliveryDecision): number {
	return httpStatuses[kind];
}

const lookupResults: Record<DeliveryDecision['kind'], LookupResult> = {
	start: 'proven',
	// Anyone could send endless variations of it, each of which costs a request.
	ignore: 'unproven',
	retryLater: 'unclear',
	forged: 'unproven',
	unreadable: 'unproven',
};

export function lookupResultOf(decision: DeliveryDecision): LookupResult {
	const isLeftOut = decision.kind === 'ignore' && decision.isProven === true;
	return isLeftOut ? 'proven' : lookupResults[decision.kind];
}

export function ignore(reason: string): OtherDecision {
	return { kind: 'ignore', reason };
}

export function askForAttention(reason: string): OtherDecision {
	return { kind: 'ignore', reason, needsAttention: true };
}

export function leaveOut(reason: string): OtherDecision {
	return { kind: 'ignore', reason, isProven: true };
}

export function retryLater(reason: string): OtherDecision {
	return { kind: 'retryLater', reason };
}

/** For example, the credential may be gone. Somebody may have mended it when the platform comes again. */
export function retryAfterError(error: unknown): OtherDecision {
	return retryLater(redact(error instanceof Error ? error.message : String(error)));
}

export function callForged(reason: string): OtherDecision {
	return { kind: 'forged', reason };
}

export const excluded = 'The filters exclude it';
export const repeated = 'It was received before';
