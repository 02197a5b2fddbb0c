import { afterResponse } from '../client/retryPolicy';
import { asFailure, Failure } from '../client/failure';
import type { Cause } from '../client/cause';
import { hasNoSuchPage } from '../client/pages';
import { readPage } from '../client/document';
import { isPrivateHost } from '../client/privateHost';
import type { ApiResponse, ApiRequest, LostConnection } from '../client/request';
import { failureText } from './messages';

/** Sends a request as the credential would, or the same one without its token. */
export type SendTest = (
	request: ApiRequest,
	withToken: boolean,
) => Promise<ApiResponse | LostConnection>;

/** The list that shows that a token works, because no other server has it. Section 4.3 names the list of events alone. */
const eventList = listOfOne('/events');
/** The lists of other scopes, which a token may have instead of the one for events (5.3). */
const listsOfOtherScopes = ['/webhooks', '/users'].map(listOfOne);

function listOfOne(path: string): ApiRequest {
	return { method: 'GET', path, query: { 'page[size]': 1 }, retry: 'never' };
}

/** Describes why a token does not work at an address; undefined where it does. */
export async function problemOfToken(
	root: string,
	send: SendTest,
	now: number,
): Promise<string | undefined> {
	const allowed = await firstAllowed(send, now);
	if (allowed instanceof Failure) {
		const { title, description } = failureText(allowed, {
			where: root,
			scope: 'events',
			credential: 'apiToken',
		});
		return textsOfCauses[allowed.cause]?.(root, allowed) ?? `${title}. ${description}`;
	}
	// The platform refuses a request without a token. A server that does not is no platform. A lost response proves nothing against it, and
	// a list without entries is a 400 with or without a token.
	const withoutToken = await send(allowed.request, false);
	const isRefused =
		'lost' in withoutToken ||
		(withoutToken.status >= 400 && (!allowed.isEmpty || withoutToken.status !== 400));
	if (!isRefused) return describeNoPlatform(`${root} answers without a token too`);
	const { protocol, hostname } = new URL(root);
	return protocol === 'http:' && !isPrivateHost(hostname)
		? "The platform accepts the API token, but the 'Base URL' begins with http://, so anyone on the network can read the token. Enter it with https://."
		: undefined;
}

interface AllowedList {
	request: ApiRequest;
	/** The first page was refused, because there is nothing on it (4.2). */
	isEmpty: boolean;
}

/** Finds the first list that the token may read; otherwise gives the failure of the list of events. */
async function firstAllowed(send: SendTest, now: number): Promise<AllowedList | Failure> {
	const events = await readList(eventList, send, now);
	if (!(events instanceof Failure) || !causesOfMissingScope.has(events.cause)) return events;
	for (const request of listsOfOtherScopes) {
		const allowed = await readList(request, send, now);
		if (!(allowed instanceof Failure)) return allowed;
	}
	return events;
}

/** The causes by which a platform may say that the token lacks a scope. */
const causesOfMissingScope: ReadonlySet<Cause> = new Set(['missing_scope', 'forbidden']);

async function readList(
	request: ApiRequest,
	send: SendTest,
	now: number,
): Promise<AllowedList | Failure> {
	const verdict = afterResponse(request, await send(request, true), 1, now);
	if (verdict.kind === 'done') {
		try {
			readPage(request, verdict.response);
		} catch (error) {
			return asFailure(error);
		}
		return { request, isEmpty: false };
	}
	const { failure } = verdict;
	const isEmpty = hasNoSuchPage(failure);
	return isEmpty ? { request, isEmpty } : failure;
}

const textsOfCauses: Partial<Record<Cause, (root: string, failure: Failure) => string>> = {
	unauthorized: (root) =>
		`The platform at ${root} does not accept the API token (401). Copy it again from the account settings of the workspace: it may have been deleted, or belong to another platform.`,
	no_endpoint: (root) => describeNoPlatform(`There is no ${root}/events (404)`),
	not_json: (root) => describeNoPlatform(`${root} answers with a page and not with JSON`),
	unexpected_shape: (root, { status = 200 }) =>
		describeNoPlatform(
			status < 300
				? `${root} answers with something else than a list`
				: `${root} leads to another address`,
		),
};

function describeNoPlatform(fact: string): string {
	return `${fact}, so this is not the platform. Enter the root of the platform's API as the 'Base URL', such as https://api.livestorm.co.`;
}
