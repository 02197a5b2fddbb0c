import { problemOfId } from '../http/path';
import type { JsonObject } from '../http/ports';
import { sameAddress } from '../jobs/taskResult';
import type { Outcome } from './outcome';

/** Someone to register, as the input has it. */
export interface Candidate {
	sessionId: string;
	/** Trimmed, otherwise as given. */
	email?: string;
	/** Section 2.2: `fields` and where the person came from. */
	task: JsonObject;
	/** Why this person cannot be sent, in words for people. */
	problems: readonly string[];
}

/** People of one session that are sent in one request. */
export interface Chunk {
	readonly sessionId: string;
	/** By their place in the input. */
	readonly people: readonly number[];
}

export interface Plan {
	readonly people: readonly Candidate[];
	/** In the order in which they are sent. */
	readonly chunks: readonly Chunk[];
	/** One place per person; only those who are not sent have an outcome. */
	readonly outcomes: ReadonlyArray<Outcome | undefined>;
	/** A duplicate → the earlier person with the same address. */
	readonly firstOf: ReadonlyMap<number, number>;
}

/** Section 8. */
const mostTasks = 50;

/** Groups people by session and cuts each group into requests. Invalid people and duplicates stay here. */
export function planRun(people: readonly Candidate[]): Plan {
	const outcomes = new Array<Outcome | undefined>(people.length).fill(undefined);
	const sessions = new Map<string, Session>();
	const firstOf = new Map<number, number>();
	for (const [index, { sessionId, email, problems }] of people.entries()) {
		let session = sessions.get(sessionId);
		if (!session) sessions.set(sessionId, (session = newSession(sessionId)));
		const found = problems.length > 0 ? problems : session.problems;
		if (email === undefined || found.length > 0) {
			outcomes[index] = invalid(found);
			continue;
		}
		const key = sameAddress(email);
		const first = session.firstByEmail.get(key);
		if (first !== undefined) {
			firstOf.set(index, first);
			outcomes[index] = duplicate;
			continue;
		}
		session.firstByEmail.set(key, index);
		session.toSend.push(index);
	}
	const chunks = [...sessions].flatMap(([sessionId, { toSend }]) => cut(sessionId, toSend));
	return { people, chunks, outcomes, firstOf };
}

interface Session {
	/** An id that cannot stand in a path concerns its own people alone. */
	problems: readonly string[];
	firstByEmail: Map<string, number>;
	toSend: number[];
}

function newSession(sessionId: string): Session {
	const problem = problemOfId(sessionId);
	const problems = problem === undefined ? [] : [`The session: ${problem}`];
	return { problems, firstByEmail: new Map(), toSend: [] };
}

function cut(sessionId: string, toSend: readonly number[]): Chunk[] {
	const chunks: Chunk[] = [];
	for (let start = 0; start < toSend.length; start += mostTasks) {
		chunks.push({ sessionId, people: toSend.slice(start, start + mostTasks) });
	}
	return chunks;
}

function invalid(problems: readonly string[]): Outcome {
	const messages = problems.length > 0 ? problems : ['There is no email.'];
	return { status: 'invalid', errors: messages.map((message) => ({ code: 'invalid', message })) };
}

const duplicate: Outcome = {
	status: 'duplicate',
	errors: [
		{
			code: 'duplicate',
			message: 'The same address stands earlier in this run for the same session.',
		},
	],
};
