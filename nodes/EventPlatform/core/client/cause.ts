import { readQuota } from './quota';
import { readErrors, type PlatformError } from '../dialect/errors';
import type { ApiRequest, ApiResponse, LostConnection } from './request';
import { isObject } from '../values/json';

/** Why a request came to nothing, in the words that the rest of the connector decides by. */
export type Cause =
	| 'unauthorized' // 401, after a refresh where there is one
	| 'reconnect' // the grant is gone: a person has to connect the credential again
	| 'missing_scope'
	| 'workspace_blocked'
	| 'forbidden'
	| 'allowance_spent' // 402: the workspace's monthly active contacts
	| 'not_found'
	| 'no_endpoint' // 404 of a path that names no record
	| 'page_out_of_range' // also page 0 of an empty list
	| 'nothing_or_filter' // 400 to page 0 of a list with filters, without a word of them
	| 'already_exists' // 409
	| 'refused' // 400
	| 'unprocessable' // 422
	| 'rate_limited' // 429, and waiting longer is of no use
	| 'quota_spent' // the month's requests are used up
	| 'quota_reserved' // what is left of them is for registrations
	| 'platform_error' // 5xx
	| 'unconfirmed' // sent, no answer: whether the platform acted is open
	| 'unreachable' // never reached the platform
	| 'not_json'
	| 'unexpected_shape'
	| 'time_over';

export function causeOf(
	request: ApiRequest,
	answer: ApiResponse | LostConnection,
	now: number,
): Cause | undefined {
	if ('lost' in answer) return answer.sent ? 'unconfirmed' : 'unreachable';
	const { status, body } = answer;
	if (status >= 200 && status < 300) {
		// Nothing else of the answer to a DELETE says whether it was done.
		const isDelete = request.method === 'DELETE' && isObject(body);
		if (isDelete && [body.errors ?? body.error ?? []].flat().length > 0) return 'refused';
		return typeof body === 'string' && body !== '' ? 'not_json' : undefined;
	}
	if (status === 429) return readQuota(answer, now).isSpent ? 'quota_spent' : 'rate_limited';
	if (status >= 500) return 'platform_error';
	const errors = readErrors(body);
	if (status === 400 && isOfPage(request, errors)) return causeOfPage(request);
	if (status === 404 && !namesRecord(request)) return 'no_endpoint';
	const words = JSON.stringify(errors).toLowerCase();
	const row = causes.find(([of, , said = /^/]) => of === status && said.test(words));
	return row?.[1] ?? (status >= 400 ? 'refused' : 'unexpected_shape');
}

/** Whether a 400 to a page of a list says that there is no such page, or says nothing (4.2). */
function isOfPage({ query = {} }: ApiRequest, errors: readonly PlatformError[]): boolean {
	if (!('page[number]' in query)) return false;
	if (isAboutPages(errors)) return true;
	// For a later page any mention will do, because page 0 was answered with the same parameters.
	return Number(query['page[number]']) > 0 && /page/i.test(JSON.stringify(errors));
}

/** Whether the words of a 400 leave open or say that the page does not exist. Parameters that are not understood are another matter. */
export function isAboutPages(errors: readonly PlatformError[]): boolean {
	const words = JSON.stringify(errors).toLowerCase();
	if (words === '[]') return true;
	if (!/\bpage/.test(words) || words.includes('size')) return false;
	return /exist|range|beyond|empty/.test(words) || !/param|support|unknown|allow/.test(words);
}

/** An empty list has no page 0 (4.2). With filters nobody can tell whether it is that. */
function causeOfPage({ query = {} }: ApiRequest): Cause {
	const isFirst = Number(query['page[number]']) === 0;
	const hasFilters = Object.keys(query).some((name) => !name.startsWith('page['));
	return isFirst && hasFilters ? 'nothing_or_filter' : 'page_out_of_range';
}

/** Whether a 404 may be about a record: one that the path names, or that the body names by its id. */
function namesRecord({ path, body = {} }: ApiRequest): boolean {
	return path.split('/').length > 2 || JSON.stringify(body).includes('_id":');
}

/** The first that fits: where a status has several causes, the words of the errors tell which. */
const causes: ReadonlyArray<readonly [status: number, cause: Cause, words?: RegExp]> = [
	[401, 'missing_scope', /scope/],
	[401, 'unauthorized'],
	[402, 'allowance_spent'],
	[403, 'missing_scope', /scope/],
	// Section 7 means a blocked workspace, which says so; without a word it is a key that may not.
	[403, 'workspace_blocked', /block|suspend/],
	[403, 'forbidden'],
	[404, 'not_found'],
	// The request took too long to arrive, whatever it was.
	[408, 'platform_error'],
	[409, 'already_exists'],
	[422, 'unprocessable'],
];
