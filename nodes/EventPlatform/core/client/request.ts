import type { Usage } from './usage';
import type { JsonObject } from '../values/json';
import type { Ms } from '../values/units';

export type Query = Readonly<Record<string, string | number | boolean>>;

/** After which failures the client sends a request again: each of these has those of the one before it. */
export type Retry =
	/** None: it is sent once, because the cause would come again or the caller cannot wait. */
	| 'never'
	/** After a 429, because the caller sends it again itself after any other failure. */
	| 'onlyWhenRateLimited'
	/** Also where it never arrived: the platform has certainly not acted. */
	| 'unlessActedOn'
	/** Also where no response came, and after a 5xx: sending it twice does no harm. */
	| 'idempotent';

export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** The path below /v1, with every segment encoded: `pathTo` builds it. */
	path: string;
	query?: Query;
	/** Parameters that nobody asked for. They are sent as well, and left out where the platform refuses them. */
	addedQuery?: Query;
	body?: JsonObject;
	/** The type of the body and of the response; `application/json` unless the request has another. */
	contentType?: string;
	/** `idempotent` for a GET and `unlessActedOn` for a change, unless the request has another. */
	retry?: Retry;
	/** The time after which the response is of no use. A wait that would go beyond it fails at once. */
	deadlineAtMs?: Ms;
	/** How long the response may take, beyond the deadline as well. Absent: a minute, and not beyond the deadline, but a second at least. */
	timeoutMs?: Ms;
	/** It is sent even where the month's requests are used up, to learn whether that is still true. */
	mayExceedQuota?: boolean;
	/** A secret in the body, which the response may repeat and no error may show. */
	secret?: string;
}

export interface ApiResponse {
	status: number;
	/** The headers, by their names in lower case. */
	headers: Readonly<Record<string, string>>;
	/** The parsed JSON, or the text as it came. */
	body: unknown;
}

/** What is known where no response came: the connection broke, or was never made. */
export interface NoResponse {
	/** The code of the network error, such as ECONNRESET. */
	networkError: string;
	/** The platform may have received the request. */
	isSent: boolean;
}

/**
 * Reads from the code of a network error why no attempt can connect to an address: it has no HTTPS, no certificate that is trusted, or n8n's
 * protection of private networks forbids it. Undefined where it says anything else.
 */
export function problemOfConnecting(
	code: string,
): 'noTls' | 'notTrusted' | 'forbidden' | undefined {
	if (code.startsWith('SsrfBlocked')) return 'forbidden';
	if (/^(?:EPROTO$|ERR_SSL_)/.test(code)) return 'noTls';
	return /CERT|^UNABLE_TO_/.test(code) ? 'notTrusted' : undefined;
}

/** Sends a request once. It throws for a cancelled run, never for a response of any status, or because none came. */
export type SendOnce = (request: ApiRequest) => Promise<ApiResponse | NoResponse>;

/** Sends a request when its turn comes, and again where that is safe. Resolves with a 2xx response, else throws a `Failure` or a `Cancelled`. */
export type Ask = (request: ApiRequest) => Promise<ApiResponse>;

/** A part of a query that may be left out, and the path that it is for. */
export interface OptionalQuery {
	path: string;
	query: Query;
}

/** What the platform refuses in queries, whoever has asked. */
export interface Refusals {
	/** Reads with the query, or without it where the platform refuses it. */
	readOrLeaveOut<With, Without>(
		optional: OptionalQuery,
		readWith: () => Promise<With>,
		readWithout: () => Promise<Without>,
	): Promise<With | Without>;
}

/** Sends the requests of a run, counts them, and compares the clocks. */
export interface Client {
	readonly send: Ask;
	/** What the requests have cost so far and what their responses have shown; it changes with each of them. */
	readonly usage: Readonly<Usage>;
	readonly refused: Refusals;
}

/** The deadline is in milliseconds by the clock of the requests. A request may have an earlier one of its own. */
export function withDeadline(ask: Ask, latestAtMs: Ms): Ask {
	return ({ deadlineAtMs = latestAtMs, ...request }) =>
		ask({ ...request, deadlineAtMs: Math.min(deadlineAtMs, latestAtMs) });
}
