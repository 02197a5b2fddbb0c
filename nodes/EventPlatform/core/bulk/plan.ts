import { groupBy, upTo } from '../values/collections';
import type { Failure } from '../client/failure';
import { problemOfId, type Api, type Ask, type Clock } from '../client/request';
import { sameAddress } from '../jobs/address';
import type { Registration } from '../jobs/task';
import type { Show } from '../records/simplify';
import type { EmailUse } from '../sessions/emailUse';
import { duplicateOf, notSendable, type Explain, type PersonOutcome } from './outcome';
import type { Turn } from './turns';

/** Someone to register, as the input has it. */
export interface Candidate {
	sessionId: string;
	/** Clean, or as given where it is no address. */
	email?: string;
	wanted: Registration;
	/** Why this person cannot be sent, in words for people. */
	problems: readonly string[];
}

/** People of one session that are sent in one request. */
export interface Chunk {
	readonly sessionId: string;
	/** By their index in the input. */
	readonly people: readonly number[];
}

/** Some people of one session on their way to the platform, with what came of it so far. */
export interface Shipment extends Chunk, Turn {
	readonly tries?: number;
	/** When it was first sent and the answer got lost: the platform may have acted on it. */
	readonly lostAt?: number;
	/** The words in which the whole was refused that this is a part of. */
	readonly refusedAs?: string;
}

/** A job as it is shown. */
export interface SentJob extends Chunk, Record<'processed' | 'succeeded' | 'failed', number> {
	readonly id: string;
	/** Section 3.1. */
	status: string;
}

export interface Plan {
	readonly people: readonly Candidate[];
	readonly chunks: readonly Chunk[];
	/** One for each person; only those who are not sent have an outcome. */
	readonly outcomes: ReadonlyArray<PersonOutcome | undefined>;
	/** A duplicate → the earlier person with the same address. */
	readonly firstOf: ReadonlyMap<number, number>;
}

export interface RunParts {
	api: Api;
	clock: Clock;
	signal?: AbortSignal;
	log?: (message: string) => void;
	explain: Explain;
	/** What is shown of a person: nothing else of the record is held. Absent: all of it. */
	show?: Show;
	onJob?: (job: SentJob) => void;
	/** Tells what an event does with the email that is sent, by its form. Absent: nobody knows. */
	emailUse?: (sessionId: string, ask: Ask) => Promise<EmailUse>;
}

export interface RunOptions {
	/** Off: the run ends when everything is sent. */
	waits: boolean;
	maxWaitSeconds: number;
	/** Refused requests are split until the bad rows stand alone. */
	isolates: boolean;
}

/** Section 8. */
const mostTasks = 50;

/** Groups people by session and cuts each group into requests. Invalid people and duplicates stay here. */
export function planRun(people: readonly Candidate[]): Plan {
	/** By session and address: who is sent. */
	const sent = new Map<string, number>();
	const firstOf = new Map<number, number>();
	const outcomes = people.map((candidate, index) => {
		const problems = problemsOf(candidate);
		if (problems.length > 0) return notSendable('invalid', problems);
		const { sessionId, email = '' } = candidate;
		const key = JSON.stringify([sessionId, sameAddress(email)]);
		const first = sent.get(key);
		if (first === undefined) {
			sent.set(key, index);
			return undefined;
		}
		firstOf.set(index, first);
		return duplicateOf(first);
	});
	return { people, chunks: inChunks(people, [...sent.values()]), outcomes, firstOf };
}

export function inChunks(people: readonly Candidate[], indexes: readonly number[]): Chunk[] {
	const bySession = groupBy(indexes, (index) => people[index]?.sessionId ?? '');
	return [...bySession].flatMap(([sessionId, members]) =>
		upTo(Math.ceil(members.length / mostTasks)).map((nth) => {
			return { sessionId, people: members.slice((nth - 1) * mostTasks, nth * mostTasks) };
		}),
	);
}

function problemsOf({ sessionId, email, problems }: Candidate): readonly string[] {
	if (problems.length > 0) return problems;
	// An id that cannot stand in a path concerns its own people alone.
	const problem = problemOfId(sessionId);
	if (problem !== undefined) return [`The session: ${problem}`];
	return email === undefined ? ['There is no email.'] : [];
}

/** Divides requests that were refused as a whole, as long as that is worth what it costs. */
export function createDivider({ people: candidates, chunks }: Plan) {
	const splitsLeft = new Map<string, number>();
	/** By session and words that name what everyone in a part has: parts refused in the words of the whole. */
	const refusedAgain = new Map<string, number>();

	// A split costs at most three requests: two to send its parts, one to read what was accepted. So bad rows
	// cost at most 300 requests, or half as many as the session; one full request of bad rows only needs 98.
	function mostSplits(sessionId: string): number {
		const own = chunks.filter((chunk) => chunk.sessionId === sessionId);
		return Math.max(100, Math.floor(own.flatMap(({ people }) => people).length / 150));
	}

	/** Those whom the platform's words point to and the others, or two halves; empty where it is not worth it. */
	return ({ sessionId, people, lostAt, refusedAs }: Shipment, refusal: Failure): Shipment[] => {
		const left = splitsLeft.get(sessionId) ?? mostSplits(sessionId);
		const words = wordsOf(refusal);
		const key = `${sessionId} ${words}`;
		let refused = refusedAgain.get(key) ?? 0;
		if (people.length < 2 || refused > 1 || left === 0) return [];
		const quoted = quotedIn(words);
		const suspects = people.filter((index) => {
			const fields = candidates[index]?.wanted.fields ?? [];
			return fields.some(({ id, value }) => [id, value].flat().some((one) => quoted.has(one)));
		});
		const others = people.filter((index) => !suspects.includes(index));
		if (others.length === 0) {
			// One half refused like the whole may hold the bad row; two do not divide anything.
			refused += refusedAs === words ? 1 : 0;
			if (doesNotExist.test(words)) refused = 2;
			refusedAgain.set(key, refused);
			if (refused > 1) return [];
		}
		splitsLeft.set(sessionId, left - 1);
		const half = Math.ceil(people.length / 2);
		const halves = [people.slice(0, half), people.slice(half)];
		const parts = suspects.length > 0 && others.length > 0 ? [others, suspects] : halves;
		// What is in doubt about the whole is in doubt about its parts.
		return parts.map((some) => {
			return { sessionId, people: some, kind: 'part', lostAt, refusedAs: words };
		});
	};
}

/** A field that does not exist is refused for each person who has it. */
const doesNotExist = /\b(?:exist|unknown|unrecogni[sz]ed|unsupported|no such)\b/i;

/** One line for each error, in which its quotation marks belong together. */
function wordsOf({ errors }: Failure): string {
	return errors.map(({ code, title, detail }) => [code, title, detail].join(' ')).join('\n');
}

function quotedIn(words: string): Set<string | undefined> {
	return new Set([...words.matchAll(/['"`]([^'"`\n]+)['"`]/g)].map(([, inner]) => inner));
}
