import type { JsonObject } from '../values/json';

export type Query = Readonly<Record<string, string | number | boolean>>;

export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Below /v1, every segment encoded: build it with `pathTo`. */
	path: string;
	query?: Query;
	/** The query without what nobody asked for: sent where the platform refuses the other one with a 400. */
	fallbackQuery?: Query;
	body?: JsonObject;
	/** Of the body and of the answer; `application/json` unless said otherwise. */
	contentType?: string;
	/** Sending it twice does no harm. A GET always is. */
	repeatable?: boolean;
	/** Clock time after which an answer is of no use: a wait that would go beyond it fails at once. */
	deadline?: number;
	/** A minute unless said otherwise. */
	longestAnswerMs?: number;
	/** It may take what the credential reserves for registrations. */
	usesReserve?: boolean;
	/** It is sent even where the month's requests are said to be used up: to hear what is true now. */
	asksAlways?: boolean;
	/** Something in it that no error may show, like the tokens in use. */
	secret?: string;
	/** Who sends it tries it again: only a 429 is waited for here. */
	isTriedBySender?: boolean;
	/** Sent once, whatever comes back: its cause will come again. */
	once?: boolean;
}

/** Builds a path below /v1. Every value becomes exactly one segment, whatever it contains. */
export function pathTo(texts: TemplateStringsArray, ...segments: unknown[]): string {
	return texts.reduce((path, text, index) => path + encodeSegment(segments[index - 1]) + text);
}

/** Seven UUIDs; servers refuse an address of some thousand characters without telling why. */
const longestId = 256;

export function problemOfId(value: unknown): string | undefined {
	const id = typeof value === 'number' ? String(value) : value;
	if (typeof id !== 'string' || id.trim() === '') return 'The ID is empty or not a text.';
	if (id.length > longestId) return `A text of ${id.length} characters cannot be an ID.`;
	// A dot segment would climb out of the path, encoded or not.
	if (/^\.{1,2}$/.test(id.trim())) return `"${id}" cannot be an ID.`;
	return isBroken(id) ? 'An ID contains an invalid character.' : undefined;
}

/** One spelling for ids that mean the same: UUIDs have no letter case; of anything else only the platform knows. */
export function asSpelled(id: string): string {
	return isUuid(id) ? id.toLowerCase() : id;
}

/** Both are UUIDs, and not the same one. */
export function areOthers(one: unknown, other: unknown): boolean {
	return isUuid(one) && isUuid(other) && asSpelled(one) !== asSpelled(other);
}

/** Such an id is never given to another record. */
export function isUuid(id: unknown): id is string {
	return typeof id === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
}

function encodeSegment(value: unknown): string {
	const problem = problemOfId(value);
	if (problem !== undefined) throw new InvalidSegment(problem);
	return encodeURIComponent(String(value).trim());
}

export function queryString(query: ApiRequest['query'] = {}): string {
	const parts = Object.entries(query).map(([name, value]) => {
		if (!isBroken(String(value))) return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
		throw new InvalidSegment(`The value of '${name}' contains an invalid character.`);
	});
	return parts.length > 0 ? `?${parts.join('&')}` : '';
}

/** Half of a surrogate pair, which no address can hold. */
function isBroken(text: string): boolean {
	return /\p{Surrogate}/u.test(text);
}

/** A value that cannot stand in an address. Nothing was sent. */
export class InvalidSegment extends Error {
	override readonly name = 'InvalidSegment';
}

/** The platform answered, whatever it said. Header names are in lower case. */
export interface Answer {
	status: number;
	headers: Readonly<Record<string, string>>;
	/** Parsed JSON, or the text as it came. */
	body: unknown;
}

/** No answer came. `sent` false: it certainly never reached the platform. */
export interface Lost {
	lost: string;
	sent: boolean;
}

/** Sent once. It never throws for an answer or a lost connection, only for a cancel. */
export type Send = (request: ApiRequest) => Promise<Answer | Lost>;

/** What the platform last said of the quota, and what this api has spent. */
export interface Usage {
	/** HTTP requests sent, repetitions included. */
	requests: number;
	/** Those of them answered 429. */
	refused?: number;
	monthlyLimit?: number;
	monthlyRemaining?: number;
	monthReturnsAt?: number;
	perSecond: number;
	/** HTTP requests that this process has ever sent with the credential, by whatever node or run. */
	sentByProcess?: number;
	/** How fast all who use the token spend the month, once seen for an hour. */
	rate?: { perDay: number; since: number };
}

/** Paced and repeated where that is safe. Resolves with a 2xx answer, else throws a `Failure` or a `Cancelled`. */
export type Ask = (request: ApiRequest) => Promise<Answer>;

export interface Api extends Ask {
	readonly usage: Readonly<Usage>;
}

export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Resolves after `ms`, or throws `Cancelled` within a second of the signal. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** One queue for all who use a token: requests leave in the order in which they asked. */
export interface Pace {
	/** Resolves with the moment of its turn. Throws a `Cancelled`, or a `Failure` when that would come too late. */
	turn(request: ApiRequest, signal?: AbortSignal): Promise<number>;
	/** What the platform said about the limits. `sentAt`: what `turn` resolved with. */
	learn(answer: Answer, sentAt?: number): void;
	/** `cap`: per second, absent: all that the platform allows. `reserve`: of the month, for those that use it. */
	limitTo(cap?: number, reserve?: number): void;
	usage(): Omit<Usage, 'requests' | 'refused'>;
}

/** A request that would have to wait longer for the platform fails at once; a deadline may allow less. */
export const longestPauseMs = 120_000;
