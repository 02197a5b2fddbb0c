import { backoffMs } from '../http/backoff';
import type { Failure } from '../http/failure';
import type { Candidate, Chunk, Plan } from './plan';

/** A chunk on its way, whole or as a piece of one that was refused. */
export interface Shipment extends Chunk {
	readonly tries: number;
	/** An earlier try may have reached the platform. */
	readonly maybeArrived: boolean;
	/** Clock time before which it should not be sent again. */
	readonly notBefore: number;
}

/** With half a second, one, two … between them, these take a minute. */
const mostTries = 8;

/** Owns what is still to be sent: the plan in its order, and before that what has to go again. */
export class ToSend {
	private next = 0;
	private again: Shipment[] = [];
	private splitsLeft: number;

	constructor(
		private readonly plan: Plan,
		isolates: boolean,
		private readonly divide: Split = split,
	) {
		this.splitsLeft = isolates ? mostSplits(plan.chunks.length) : 0;
	}

	get size(): number {
		return this.plan.chunks.length - this.next + this.again.length;
	}

	take(now: number): Shipment | undefined {
		const index = this.again.findIndex(({ notBefore }) => notBefore <= now);
		if (index >= 0) return this.again.splice(index, 1)[0];
		const chunk = this.plan.chunks[this.next];
		if (!chunk) return undefined;
		this.next += 1;
		return unsent(chunk);
	}

	/** When the next one may be sent. */
	readyAt(now: number): number {
		if (this.next < this.plan.chunks.length) return now;
		return this.again.reduce((at, { notBefore }) => Math.min(at, notBefore), Infinity);
	}

	/** False: it has been tried often enough. */
	sendAgain(shipment: Shipment, now: number, notBefore = 0): boolean {
		const tries = shipment.tries + 1;
		if (tries >= mostTries) return false;
		const readyAt = Math.max(notBefore, now + backoffMs(tries));
		this.again.push({ ...shipment, tries, notBefore: readyAt });
		return true;
	}

	/** Sends the parts of what was refused as a whole. False: it is not worth it. */
	sendParts(shipment: Shipment, refusal: Failure): boolean {
		if (shipment.people.length < 2 || this.splitsLeft === 0) return false;
		this.splitsLeft -= 1;
		const parts = this.divide(shipment, refusal, this.plan.people);
		// What is in doubt about the whole is in doubt about its parts.
		const { maybeArrived } = shipment;
		this.again.unshift(...parts.map((part) => ({ ...unsent(part), maybeArrived })));
		return true;
	}

	/** Takes away what will not be sent: all of it, or that of one session. */
	*withdraw(sessionId?: string): Generator<Shipment> {
		const isMeant = (chunk: Chunk) => sessionId === undefined || chunk.sessionId === sessionId;
		const again = this.again.filter(isMeant);
		this.again = this.again.filter((shipment) => !isMeant(shipment));
		yield* again;
		while (this.next < this.plan.chunks.length) {
			const chunk = this.plan.chunks[this.next];
			// Sessions stand one after the other in the plan.
			if (!chunk || !isMeant(chunk)) break;
			this.next += 1;
			yield unsent(chunk);
		}
	}
}

function unsent({ sessionId, people }: Chunk): Shipment {
	return { sessionId, people, tries: 0, maybeArrived: false, notBefore: 0 };
}

/**
 * How often refused requests may be split in one run. A split costs at most three requests: two to
 * send its parts, one to read what was accepted. So isolating bad rows costs at most 300 requests, or
 * half as many as the whole plan where that is more; one full request of bad rows only needs 98.
 */
function mostSplits(chunks: number): number {
	return Math.max(100, Math.floor(chunks / 3));
}

/** Divides a request that was refused as a whole. */
export type Split = (
	chunk: Chunk,
	refusal: Pick<Failure, 'errors'>,
	candidates: readonly Candidate[],
) => Chunk[];

/**
 * Those whom the platform's words point to and the others, or two halves. The words only choose
 * the parts; the platform judges each again.
 */
export const split: Split = ({ sessionId, people }, refusal, candidates) => {
	const quoted = quotedIn(refusal);
	const suspects = people.filter((index) => mentions(candidates[index], quoted));
	if (suspects.length > 0 && suspects.length < people.length) {
		const others = people.filter((index) => !mentions(candidates[index], quoted));
		return [
			{ sessionId, people: others },
			{ sessionId, people: suspects },
		];
	}
	return halves({ sessionId, people });
};

export function halves({ sessionId, people }: Chunk): Chunk[] {
	const half = Math.ceil(people.length / 2);
	return [
		{ sessionId, people: people.slice(0, half) },
		{ sessionId, people: people.slice(half) },
	];
}

function quotedIn({ errors }: Pick<Failure, 'errors'>): Set<string> {
	const texts = errors.map(({ title = '', detail = '' }) => `${title} ${detail}`);
	const quoted = texts.flatMap((text) => [...text.matchAll(/['"`]([^'"`]+)['"`]/g)]);
	return new Set(quoted.map(([, inner = '']) => inner));
}

function mentions(candidate: Candidate | undefined, quoted: ReadonlySet<string>): boolean {
	const fields = candidate?.task.fields;
	if (quoted.size === 0 || !Array.isArray(fields)) return false;
	return (fields as unknown as Array<{ id: string; value: unknown }>).some(
		({ id, value }) => quoted.has(id) || (typeof value === 'string' && quoted.has(value)),
	);
}
