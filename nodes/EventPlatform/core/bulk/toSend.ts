import { againAfterMs } from '../http/patience';
import type { Failure } from '../http/failure';
import type { Candidate, Chunk, Plan } from './plan';

/** A chunk on its way, whole or as a piece of one that was refused. */
export interface Shipment extends Chunk {
	readonly tries: number;
	/** When it was first sent and the answer got lost: the platform may have acted on it. */
	readonly lostAt?: number;
	/** Clock time before which it should not be sent again. */
	readonly notBefore: number;
	/** The words in which the whole was refused that this is a part of. */
	readonly refusedAs?: string;
}

/** What a session's refusals have cost and shown. */
interface Splitting {
	left: number;
	/** By words that name what everyone in a part has: parts refused in the words of the whole. */
	refusedAgain: Map<string, number>;
}

/** Owns what is still to be sent: first what has to go again, then the plan in its order. */
export class ToSend {
	private waiting: Shipment[];
	/** Sent, without an answer yet. */
	readonly underWay = new Set<Shipment>();
	private readonly splitting = new Map<string, Splitting>();

	constructor(
		private readonly plan: Plan,
		private readonly isolates: boolean,
	) {
		this.waiting = plan.chunks.map(unsent);
	}

	get size(): number {
		return this.waiting.length;
	}

	take(now: number): Shipment | undefined {
		const index = this.waiting.findIndex(({ notBefore }) => notBefore <= now);
		const [shipment] = index < 0 ? [] : this.waiting.splice(index, 1);
		if (shipment) this.underWay.add(shipment);
		return shipment;
	}

	/** When the next one may be sent. */
	readyAt(now: number): number {
		const times = this.waiting.map(({ notBefore }) => notBefore);
		return Math.max(now, Math.min(...times));
	}

	/** False: it has been tried often enough. */
	sendAgain(shipment: Shipment, now: number, noEarlier = 0): boolean {
		const tries = shipment.tries + 1;
		const againMs = againAfterMs('shipment', tries);
		if (againMs === undefined) return false;
		const notBefore = Math.max(noEarlier, now + againMs);
		const others = this.waiting.findLastIndex((other) => other.tries > 0);
		this.waiting.splice(others + 1, 0, { ...shipment, tries, notBefore });
		return true;
	}

	/** Sends the parts of what was refused as a whole. False: it is not worth it. */
	sendParts(shipment: Shipment, refusal: Failure): boolean {
		if (!this.isolates || !this.isWorthSplitting(shipment, refusal)) return false;
		const parts = split(shipment, refusal, this.plan.people);
		// What is in doubt about the whole is in doubt about its parts.
		const { lostAt } = shipment;
		const refusedAs = wordsOf(refusal) || undefined;
		this.waiting.unshift(...parts.map((part) => ({ ...unsent(part), lostAt, refusedAs })));
		return true;
	}

	/** Takes away what will not be sent: all of it, or that of one session. */
	withdraw(sessionId?: string): Shipment[] {
		const isMeant = (chunk: Chunk) => sessionId === undefined || chunk.sessionId === sessionId;
		const withdrawn = this.waiting.filter(isMeant);
		this.waiting = this.waiting.filter((shipment) => !isMeant(shipment));
		return withdrawn;
	}

	private isWorthSplitting({ sessionId, people, refusedAs }: Shipment, refusal: Failure): boolean {
		const most = mostSplits(this.plan.placeOf.get(sessionId)?.size ?? 0);
		const unsplit: Splitting = { left: most, refusedAgain: new Map() };
		const session = this.splitting.get(sessionId) ?? unsplit;
		this.splitting.set(sessionId, session);
		const words = wordsOf(refusal);
		let parts = session.refusedAgain.get(words) ?? 0;
		if (people.length < 2 || session.left === 0 || parts > 1) return false;
		const quoted = quotedIn(refusal);
		if (people.every((index) => mentions(this.plan.people[index], quoted))) {
			// One half refused like the whole may hold the bad row; two do not divide anything.
			parts += saysUnknown(words) ? 2 : refusedAs === words ? 1 : 0;
			session.refusedAgain.set(words, parts);
			if (parts > 1) return false;
		}
		session.left -= 1;
		return true;
	}
}

function unsent({ sessionId, people }: Chunk): Shipment {
	return { sessionId, people, tries: 0, notBefore: 0 };
}

/**
 * How often refused requests of one session may be split. A split costs at most three requests: two
 * to send its parts, one to read what was accepted. So isolating bad rows costs at most 300 requests,
 * or half as many as the session where that is more; one full request of bad rows only needs 98.
 */
function mostSplits(people: number): number {
	return Math.max(100, Math.floor(people / 150));
}

/**
 * Divides a request that was refused as a whole: those whom the platform's words point to and the
 * others, or two halves. The words only choose the parts; the platform judges each again.
 */
export function split(chunk: Chunk, refusal: Failure, candidates: readonly Candidate[]): Chunk[] {
	const quoted = quotedIn(refusal);
	const isMeant = (index: number) => mentions(candidates[index], quoted);
	const suspects = chunk.people.filter(isMeant);
	const others = chunk.people.filter((index) => !isMeant(index));
	if (suspects.length === 0 || others.length === 0) return halves(chunk);
	return [others, suspects].map((people) => ({ ...chunk, people }));
}

function halves({ sessionId, people }: Chunk): Chunk[] {
	const half = Math.ceil(people.length / 2);
	return [people.slice(0, half), people.slice(half)].map((part) => ({ sessionId, people: part }));
}

/** A field that does not exist is refused for each person who has it. */
function saysUnknown(words: string): boolean {
	return /\b(?:exist|unknown|unrecogni[sz]ed|unsupported|no such)\b/i.test(words);
}

/** One line for each error, in which its quotation marks belong together. */
function wordsOf({ errors }: Failure): string {
	return errors.map(({ code, title, detail }) => [code, title, detail].join(' ')).join('\n');
}

function quotedIn(refusal: Failure): Set<string> {
	const quoted = [...wordsOf(refusal).matchAll(/['"`]([^'"`\n]+)['"`]/g)];
	return new Set(quoted.map(([, inner = '']) => inner));
}

function mentions(candidate: Candidate | undefined, quoted: ReadonlySet<string>): boolean {
	if (!candidate || quoted.size === 0) return false;
	return candidate.wanted.fields.some(
		({ id, value }) => quoted.has(id) || (typeof value === 'string' && quoted.has(value)),
	);
}
