import type { Failure } from '../http/failure';
import type { Candidate, Chunk, Plan } from './plan';

/** Some people of one session on their way to the platform: a chunk of the plan, or a part of one. */
export interface Shipment extends Chunk {
	readonly kind: 'new' | 'part' | 'again';
	readonly tries: number;
	/** Clock time before which it should not be sent. */
	readonly notBefore: number;
	/** When it was first sent and the answer got lost: the platform may have acted on it. */
	readonly lostAt?: number;
	/** The words in which the whole was refused that this is a part of. */
	readonly refusedAs?: string;
}

/** What a session's refusals have cost and shown. */
interface Splitting {
	left: number;
	/** By words that name what everyone in a part has: parts refused in the words of the whole. */
	refusedAgain: Map<string, number>;
}

/** Divides requests that were refused as a whole, as long as that is worth what it costs. */
export class Divider {
	private readonly splitting = new Map<string, Splitting>();

	constructor(private readonly plan: Plan) {}

	/**
	 * Those whom the platform's words point to and the others, or two halves; empty where it is not worth
	 * it. The words only choose the parts; the platform judges each again.
	 */
	partsOf({ sessionId, people, lostAt, refusedAs }: Shipment, refusal: Failure): Shipment[] {
		const session = this.splittingOf(sessionId);
		const words = wordsOf(refusal);
		const quoted = quotedIn(words);
		const isSuspect = (index: number) => mentions(this.plan.people[index], quoted);
		const [suspects, others] = [people.filter(isSuspect), people.filter((one) => !isSuspect(one))];
		let refused = session.refusedAgain.get(words) ?? 0;
		if (people.length < 2 || session.left === 0 || refused > 1) return [];
		if (others.length === 0) {
			// One half refused like the whole may hold the bad row; two do not divide anything.
			refused += saysUnknown(words) ? 2 : refusedAs === words ? 1 : 0;
			session.refusedAgain.set(words, refused);
			if (refused > 1) return [];
		}
		session.left -= 1;
		const half = Math.ceil(people.length / 2);
		const halves = [people.slice(0, half), people.slice(half)];
		const parts = suspects.length > 0 && others.length > 0 ? [others, suspects] : halves;
		// What is in doubt about the whole is in doubt about its parts.
		const first = { sessionId, kind: 'part', tries: 0, notBefore: 0 } as const;
		return parts.map((some) => ({ ...first, people: some, lostAt, refusedAs: words }));
	}

	private splittingOf(sessionId: string): Splitting {
		const left = mostSplits(this.plan.placeOf.get(sessionId)?.size ?? 0);
		const session = this.splitting.get(sessionId) ?? { left, refusedAgain: new Map() };
		this.splitting.set(sessionId, session);
		return session;
	}
}

/**
 * How often refused requests of one session may be split. A split costs at most three requests: two
 * to send its parts, one to read what was accepted. So isolating bad rows costs at most 300 requests,
 * or half as many as the session where that is more; one full request of bad rows only needs 98.
 */
function mostSplits(people: number): number {
	return Math.max(100, Math.floor(people / 150));
}

/** A field that does not exist is refused for each person who has it. */
function saysUnknown(words: string): boolean {
	return /\b(?:exist|unknown|unrecogni[sz]ed|unsupported|no such)\b/i.test(words);
}

/** One line for each error, in which its quotation marks belong together. */
function wordsOf({ errors }: Failure): string {
	return errors.map(({ code, title, detail }) => [code, title, detail].join(' ')).join('\n');
}

function quotedIn(words: string): Set<string> {
	const quoted = [...words.matchAll(/['"`]([^'"`\n]+)['"`]/g)];
	return new Set(quoted.map(([, inner = '']) => inner));
}

function mentions(candidate: Candidate | undefined, quoted: ReadonlySet<string>): boolean {
	if (!candidate || quoted.size === 0) return false;
	return candidate.wanted.fields.some(
		({ id, value }) => quoted.has(id) || (typeof value === 'string' && quoted.has(value)),
	);
}
