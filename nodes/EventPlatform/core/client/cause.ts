import { readQuota } from './quota';
import { hasErrors, isMarkup, readErrors, type PlatformError } from '../dialect/errors';
import { closedSessionIn, namesScope, saysBlocked, saysNoPage } from '../dialect/refusals';
import type { ApiRequest, ApiResponse } from './request';
import type { Ms } from '../values/units';

/** The cause of a failed request. The rest of the connector decides by these names. */
export type Cause =
	| 'unauthorized' // 401, after a refresh where there is one
	| 'reconnect' // the grant is gone: a person has to connect the credential again
	| 'missing_scope'
	| 'workspace_blocked'
	| 'forbidden'
	| 'allowance_spent' // 402: the workspace's monthly active contacts
	| 'not_found'
	| 'no_endpoint' // 404 of a path that names no record
	| 'page_out_of_range' // 400 to a page: the list ends before it, unless the list itself tells of it (pages.ts); also page 0 of an empty list
	| 'nothing_or_filter' // 400 to page 0 of a list with filters, which leaves open whether a filter is refused
	| 'already_exists' // 409
	| 'session_closed' // people are not taken any more: the session is over, canceled or full
	| 'refused' // 400, 413, or a 2xx that tells errors
	| 'unprocessable' // 422
	| 'rate_limited' // 429: too many requests
	| 'quota_spent' // the month's requests are used up
	| 'platform_error' // 5xx, 408
	| 'unconfirmed' // sent, and no response came: nobody knows whether the platform acted
	| 'unreachable' // never reached the platform
	| 'not_from_api' // a 4xx that the API does not send, most often about nothing that is in the request
	| 'not_json'
	| 'unexpected_shape'
	| 'incomplete_list' // a page came back empty or was refused, although the list tells of records there
	| 'time_over';

/**
 * With a web page these are not believed. The API sends JSON with them, and says what it thinks of a request or of who sent it. A web page
 * with one of them is from a gateway or a firewall. The other statuses of `causes` are believed with a web page, too:
 *
 *   401, 402   name the token and what is to be paid for it. A firewall, which knows neither, refuses with a 403
 *   404, 410   a server often says by a page for people that it does not have an address
 *   408, 413   are those of a gateway anyway: it took too long, or is too large for it
 */
const notBelievedOfPage: readonly number[] = [400, 403, 409, 422];

export function causeOf(request: ApiRequest, response: ApiResponse, now: Ms): Cause | undefined {
	const { status, body } = response;
	if (status >= 200 && status < 300) {
		// Nothing else of the response to a DELETE says whether it was done.
		if (request.method === 'DELETE' && hasErrors(body)) return 'refused';
		return typeof body === 'string' && body !== '' ? 'not_json' : undefined;
	}
	if (status === 429) return readQuota(response, now).isSpent ? 'quota_spent' : 'rate_limited';
	if (status >= 500) return 'platform_error';
	if (isMarkup(body) && notBelievedOfPage.includes(status)) return 'not_from_api';
	const errors = readErrors(body);
	const causeOfPage = status === 400 ? causeAboutPage(request, errors) : undefined;
	if (causeOfPage !== undefined) return causeOfPage;
	if (status === 404 && !namesRecord(request)) return 'no_endpoint';
	if (isAboutClosedSession(request, status, errors)) return 'session_closed';
	const row = causes.find((entry) => entry.status === status && (entry.isSaid?.(errors) ?? true));
	// What is asked for may have been done before a redirect (303), which is not followed. So nobody is told that they were not sent.
	return row?.cause ?? (status >= 400 ? 'not_from_api' : 'unexpected_shape');
}

function isAboutClosedSession(
	{ method, path }: ApiRequest,
	status: number,
	errors: readonly PlatformError[],
): boolean {
	const isRegistration = method === 'POST' && /^\/sessions\/[^/]+\/people(?:\/bulk)?$/.test(path);
	const mayBeAboutSession = [400, 403, 404, 409, 410, 422].includes(status);
	return isRegistration && mayBeAboutSession && closedSessionIn(errors) !== undefined;
}

/** A request for a list that names no page asks for page 0 (4.2). Undefined means that it asks for no list. */
function pageNumberOf({ method, query = {} }: ApiRequest): number | undefined {
	if (query['page[number]'] !== undefined) return Number(query['page[number]']);
	const names = method === 'GET' ? Object.keys(query) : [];
	return names.some((name) => /^(?:page|filter)\[/.test(name)) ? 0 : undefined;
}

/** The cause of a 400 that says of a page that it is not there; undefined where the 400 is about something else. */
function causeAboutPage(
	request: ApiRequest,
	errors: readonly PlatformError[],
): 'page_out_of_range' | 'nothing_or_filter' | undefined {
	const number = pageNumberOf(request);
	if (number === undefined) return undefined;
	// Most 400 to a later page mean that, in whatever words: page 0 came with the same parameters.
	if (number > 0) return 'page_out_of_range';
	if (errors.length > 0) return saysNoPage(errors) ? 'page_out_of_range' : undefined;
	// An empty list has no page 0 (4.2). With filters only words tell that: without them a filter may be what is refused, and who is looked
	// for may be there.
	const hasFilters = Object.keys(request.query ?? {}).some((name) => !name.startsWith('page['));
	return hasFilters ? 'nothing_or_filter' : 'page_out_of_range';
}

/**
 * A 404 may be about a record that the path names, or that the body names by its id. Of the requests with a short path only that of a new
 * event names one in its body: `owner_id` or `copy_from_event_id`.
 */
function namesRecord({ path, body = {} }: ApiRequest): boolean {
	return path.split('/').length > 2 || JSON.stringify(body).includes('_id":');
}

interface CauseRow {
	status: number;
	cause: Cause;
	isSaid?(errors: readonly PlatformError[]): boolean;
}

/** The causes of the statuses. The first row that fits counts: where a status has several causes, the words of the errors tell which. */
const causes: readonly CauseRow[] = [
	{ status: 400, cause: 'refused' },
	{ status: 401, cause: 'missing_scope', isSaid: namesScope },
	{ status: 401, cause: 'unauthorized' },
	{ status: 402, cause: 'allowance_spent' },
	{ status: 403, cause: 'missing_scope', isSaid: namesScope },
	{ status: 403, cause: 'workspace_blocked', isSaid: saysBlocked },
	{ status: 403, cause: 'forbidden' },
	{ status: 404, cause: 'not_found' },
	// It took too long to arrive. A proxy may have passed it on nevertheless, so what follows is the same as after a 5xx.
	{ status: 408, cause: 'platform_error' },
	{ status: 409, cause: 'already_exists' },
	// One record that is gone must not end a run with many.
	{ status: 410, cause: 'not_found' },
	// Too large: the half of a list of people may be taken.
	{ status: 413, cause: 'refused' },
	{ status: 422, cause: 'unprocessable' },
];
