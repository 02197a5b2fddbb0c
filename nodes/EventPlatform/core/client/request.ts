import type { Usage } from './usage';
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
/** Paced and repeated where that is safe. Resolves with a 2xx answer, else throws a `Failure` or a `Cancelled`. */
export type Ask = (request: ApiRequest) => Promise<Answer>;
export interface Api extends Ask {
	readonly usage: Readonly<Usage>;
}
