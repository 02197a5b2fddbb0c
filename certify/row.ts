import type { SandboxOptions } from '../sandbox/options';
import { isObject, type JsonObject } from '../nodes/EventPlatform/core/values/json';
import type { Difference } from './schema';
import type { SeenResponse, Seen } from './seen';
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
	/** Judges the statement by the exchanges, and does nothing else. It throws `NotSeen` where they say nothing of the statement. */
	check(seen: Seen): Verdict;
}

/** The responses say nothing of a statement. */
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

/** Tells all differences from a schema at once. */
export function judgeDifferences(differences: readonly Difference[]): Verdict {
	if (differences.length === 0) return holds;
	return differs(
		joined(differences.map((difference) => difference.promised)),
		joined(differences.map((difference) => difference.came)),
	);
}

export function judgeStatus(seen: Seen, name: string, promised: number): Verdict {
	const { status } = responseTo(seen, name);
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

/** Gives the response to a request. Its status may be any but 429. */
export function responseTo(seen: Seen, name: string): SeenResponse {
	const exchange = seen.get(name);
	if (exchange === undefined) throw new NotSeen(seen.why(name) ?? words`not asked`);
	if ('lost' in exchange) throw new NotSeen(words`no answer came`);
	if (exchange.status === 429) throw new NotSeen(words`refused for its pace (429)`);
	return exchange;
}

/** Gives the response to a request that was a success. Why it was none is the matter of another row. */
export function successOf(seen: Seen, name: string): SeenResponse {
	const response = responseTo(seen, name);
	const { status } = response;
	if (status >= 200 && status < 300) return response;
	if (status === 401 || status === 403) throw new NotSeen(words`the token may not (${status})`);
	throw new NotSeen(words`the request was answered with ${status}`);
}

export function recordsOf({ body }: SeenResponse): JsonObject[] {
	if (isObject(body) && Array.isArray(body['data'])) return body['data'].filter(isObject);
	throw new NotSeen(words`no list came`);
}

/** One record, flat or in `data`. */
export function recordOf({ body }: SeenResponse): JsonObject {
	const record = isObject(body) ? (body['data'] ?? body) : undefined;
	if (isObject(record) && isObject(record['attributes'])) return record;
	throw new NotSeen(words`no record came`);
}

export function metaOf({ body }: SeenResponse): JsonObject {
	if (isObject(body) && isObject(body['meta'])) return body['meta'];
	throw new NotSeen(words`no meta came`);
}

export function number(object: JsonObject, name: string): number {
	const value = object[name];
	if (typeof value === 'number') return value;
	throw new NotSeen(words`a number is missing that this is about`);
}
