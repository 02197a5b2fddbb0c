import { groupBy, upTo } from '../http/collections';
import { problemOfId, type Api, type Clock } from '../http/ports';
import { sameAddress } from '../jobs/address';
import type { Registration } from '../jobs/task';
import type { Show } from '../records/simplify';
import { notSendable, own, type Explain, type PersonOutcome } from './outcome';

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
	/** By their place in the input. */
	readonly people: readonly number[];
}

/** A job as it is shown. */
export interface SentJob extends Chunk {
	readonly id: string;
	/** Section 3.1. */
	status: string;
	processed: number;
	succeeded: number;
	failed: number;
}

export interface Plan {
	readonly people: readonly Candidate[];
	readonly chunks: readonly Chunk[];
	/** One place per person; only those who are not sent have an outcome. */
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
/** One for all of them, because a run holds each person. */
const duplicate: PersonOutcome = { status: 'duplicate', errors: [own('duplicate')] };

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
		return duplicate;
	});
	return { people, chunks: inChunks(people, [...sent.values()]), outcomes, firstOf };
}

/** Those at these places, in requests. */
export function inChunks(people: readonly Candidate[], places: readonly number[]): Chunk[] {
	const bySession = groupBy(places, (index) => people[index]?.sessionId ?? '');
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
