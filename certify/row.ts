import type { SandboxOptions } from '../sandbox/options';
import { isObject, type JsonObject } from '../nodes/EventPlatform/core/values/json';
import type { Difference } from './schema';
import type { Answered, Seen } from './seen';
import type { Use } from './uses';
import { joined, words, type Words } from './words';

/** The work that a run has to be told to do before a row can be judged. */
export type Need = 'read' | 'write' | 'limits' | 'listen';

/** How the sandbox behaves when a statement differs in the way that was seen. */
export type Traits = Partial<SandboxOptions>;

export type Verdict =
	| { state: 'holds'; traits?: Traits }
	| { state: 'differs'; promised: Words; came: Words; traits?: Traits }
	| { state: 'not seen'; why: Words };

/** One statement of the contract or of the specification that an outsider can see. */
export interface Row {
	id: string;
	section?: string;
	says: string;
	needs: Need;
	/** The parts of the connector that rely on it. */
	reliesOn: readonly Use[];
	/** Nodes of the contract whose evidence it is. */
	evidence?: readonly (readonly string[])[];
	/** Pure: it reads what was answered. It throws `NotSeen` where that says nothing of the statement. */
	check(seen: Seen): Verdict;
}

/** The answers say nothing of a statement. */
export class NotSeen extends Error {
	override readonly name = 'NotSeen';
	constructor(readonly why: Words) {
		super(why);
	}
}

export const holds: Verdict = { state: 'holds' };

export function differs(promised: Words, came: Words, traits?: Traits): Verdict {
	return { state: 'differs', promised, came, ...(traits && { traits }) };
}

/** All that differs from a schema is told at once. */
export function nothingDiffers(differences: readonly Difference[]): Verdict {
	if (differences.length === 0) return holds;
	return differs(
		joined(differences.map((difference) => difference.promised)),
		joined(differences.map((difference) => difference.came)),
	);
}

export function isStatus(seen: Seen, name: string, promised: number): Verdict {
	const { status } = answered(seen, name);
	return status === promised ? holds : differs(words`${promised}`, words`${status}`);
}

export function judge(row: Row, seen: Seen): Verdict {
	try {
		return row.check(seen);
	} catch (error) {
		if (error instanceof NotSeen) return { state: 'not seen', why: error.why };
		throw error;
	}
}

/** Gives the answer to a request. Its status may be any but 429. */
export function answered(seen: Seen, name: string): Answered {
	const answer = seen.get(name);
	if (answer === undefined) throw new NotSeen(seen.why(name) ?? words`not asked`);
	if ('lost' in answer) throw new NotSeen(words`no answer came`);
	if (answer.status === 429) throw new NotSeen(words`refused for its pace (429)`);
	return answer;
}

/** The same where it was a success; why it was none is the matter of another row. */
export function succeeded(seen: Seen, name: string): Answered {
	const answer = answered(seen, name);
	if (answer.status >= 200 && answer.status < 300) return answer;
	if (answer.status === 401 || answer.status === 403) {
		throw new NotSeen(words`the token may not (${answer.status})`);
	}
	throw new NotSeen(words`the request was answered with ${answer.status}`);
}

export function recordsOf({ body }: Answered): JsonObject[] {
	if (isObject(body) && Array.isArray(body['data'])) return body['data'].filter(isObject);
	throw new NotSeen(words`no list came`);
}

/** One record, flat or in `data`. */
export function recordOf({ body }: Answered): JsonObject {
	const record = isObject(body) ? (body['data'] ?? body) : undefined;
	if (isObject(record) && isObject(record['attributes'])) return record;
	throw new NotSeen(words`no record came`);
}

export function metaOf({ body }: Answered): JsonObject {
	if (isObject(body) && isObject(body['meta'])) return body['meta'];
	throw new NotSeen(words`no meta came`);
}

export function number(object: JsonObject, name: string): number {
	const value = object[name];
	if (typeof value === 'number') return value;
	throw new NotSeen(words`a number is missing that this is about`);
}
