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
	/** The words in which the whole was refused that this is a part of. */
	readonly refusedAs?: string;
}

/** What a session's refusals have cost and shown. */
interface Splitting {
	left: number;
	/** Parts refused in the words of the whole, where these name what everyone in the part has. */
	refusedAgain: Map<string, number>;
	/** Words that are about everyone. */
	pointless: Set<string>;
}

/** With half a second, one, two … between them, these take a minute. */
const mostTries = 8;

/** Owns what is still to be sent: the plan in its order, and before that what has to go again. */
export class ToSend {
	private next = 0;
	private again: Shipment[] = [];
	private readonly splitting = new Map<string, Splitting>();

	constructor(
		private readonly plan: Plan,
		private readonly isolates: boolean,
		private readonly divide: Split = split,
	) {}

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
		if (!this.isWorthSplitting(shipment, refusal)) return false;
		const parts = this.divide(shipment, refusal, this.plan.people);
		// What is in doubt about the whole is in doubt about its parts.
		const { maybeArrived } = shipment;
		const refusedAs = wordsOf(refusal) || undefined;
		this.again.unshift(...parts.map((part) => ({ ...unsent(part), maybeArrived, refusedAs })));
		return true;
	}

	private isWorthSplitting(shipment: Shipment, refusal: Failure): boolean {
		const { sessionId, people, refusedAs } = shipment;
		const session = this.splitting.get(sessionId) ?? this.newSplitting(sessionId);
		this.splitting.set(sessionId, session);
		const words = wordsOf(refusal);
		if (people.length < 2 || session.left === 0 || session.pointless.has(words)) return false;
		const candidates = people.flatMap((index) => this.plan.people[index] ?? []);
		if (namesAll(candidates, refusal)) {
			// One half refused like the whole may hold the bad row; two do not divide anything.
			const halves = (session.refusedAgain.get(words) ?? 0) + (refusedAs === words ? 1 : 0);
			session.refusedAgain.set(words, halves);
			if (halves > 1 || saysUnknown(words)) {
				session.pointless.add(words);
				return false;
			}
		}
		session.left -= 1;
		return true;
	}

	private newSplitting(sessionId: string): Splitting {
		const chunks = this.plan.chunks.filter((chunk) => chunk.sessionId === sessionId).length;
		const left = this.isolates ? mostSplits(chunks) : 0;
		return { left, refusedAgain: new Map(), pointless: new Set() };
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
 * How often refused requests of one session may be split. A split costs at most three requests: two
 * to send its parts, one to read what was accepted. So isolating bad rows costs at most 300 requests,
 * or half as many as the session where that is more; one full request of bad rows only needs 98.
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

/** Whether the platform's words name a field or a value that all of them have. */
function namesAll(candidates: readonly Candidate[], refusal: Pick<Failure, 'errors'>): boolean {
	const quoted = quotedIn(refusal);
	return candidates.every((candidate) => mentions(candidate, quoted));
}

/** A field that does not exist is refused for each person who has it. */
function saysUnknown(words: string): boolean {
	return /\b(?:exist|unknown|unrecogni[sz]ed|unsupported|no such)\b/i.test(words);
}

function wordsOf({ errors }: Pick<Failure, 'errors'>): string {
	return errors.map(({ code, title, detail }) => [code, title, detail].join(' ')).join(' ');
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
