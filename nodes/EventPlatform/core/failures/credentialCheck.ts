import { afterResponse } from '../client/retryPolicy';
import { asFailure, Failure } from '../client/failure';
import type { Cause } from '../client/cause';
import { mayMeanNoSuchPage } from '../dialect/refusals';
import { readPage } from '../client/document';
import { isPrivateHost } from '../client/privateHost';
import type { ApiResponse, ApiRequest, LostConnection } from '../client/request';
import { failureText } from './messages';

/** Sends a request as the credential would, or the same one without its token. */
export type SendTest = (
	request: ApiRequest,
	withToken: boolean,
) => Promise<ApiResponse | LostConnection>;

/** One record of a list is what only the platform answers with. Section 4.3 names the list of events alone. */
const events = listOfOne('/events');
/** A token may have been given other scopes than the one for events (5.3). */
const ofOtherScopes = ['/webhooks', '/users'].map(listOfOne);

function listOfOne(path: string): ApiRequest {
	return { method: 'GET', path, query: { 'page[size]': 1 }, retry: 'never' };
}

/** Why a token does not work at an address, in words for people; undefined when it does. */
export async function problemOfToken(
	root: string,
	send: SendTest,
	now: number,
): Promise<string | undefined> {
	const allowed = await firstAllowed(send, now);
	if (allowed instanceof Failure) {
		const { title, description } = failureText(allowed, { where: root, scope: 'events' });
		return words[allowed.cause]?.(root, allowed) ?? `${title}. ${description}`;
	}
	// Whatever answers the same to everything is found out by what the platform refuses: a request without a token.
	const bare = await send(allowed.request, false);
	const isRefused =
		'lost' in bare || (bare.status >= 400 && (!allowed.isEmpty || bare.status !== 400));
	if (!isRefused) return somethingElse(`${root} answers without a token too`);
	const { protocol, hostname } = new URL(root);
	return protocol === 'http:' && !isPrivateHost(hostname)
		? "The platform accepts the API token, but the 'Base URL' begins with http://, so anyone on the network can read the token. Enter it with https://."
		: undefined;
}

/** A list that the token may read. */
interface Allowed {
	request: ApiRequest;
	/** Its first page was refused, because there is nothing on it (4.2). */
	isEmpty: boolean;
}

/** The first list that the token may read; else why it may not read the events. */
async function firstAllowed(send: SendTest, now: number): Promise<Allowed | Failure> {
	const first = await readList(events, send, now);
	if (!(first instanceof Failure) || !mayBeScope.has(first.cause)) return first;
	for (const request of ofOtherScopes) {
		const allowed = await readList(request, send, now);
		if (!(allowed instanceof Failure)) return allowed;
	}
	return first;
}

const mayBeScope: ReadonlySet<Cause> = new Set(['missing_scope', 'forbidden']);

async function readList(
	request: ApiRequest,
	send: SendTest,
	now: number,
): Promise<Allowed | Failure> {
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
	const isEmpty = failure.status === 400 && mayMeanNoSuchPage(failure.errors);
	return isEmpty ? { request, isEmpty } : failure;
}

const words: Partial<Record<Cause, (root: string, failure: Failure) => string>> = {
	unauthorized: (root) =>
		`The platform at ${root} does not accept the API token (401). Copy it again from the account settings of the workspace: it may have been deleted, or belong to another platform.`,
	no_endpoint: (root) => somethingElse(`There is no ${root}/events (404)`),
	not_json: (root) => somethingElse(`${root} answers with a page and not with JSON`),
	unexpected_shape: (root, { status = 200 }) =>
		somethingElse(
			status < 300
				? `${root} answers with something else than a list`
				: `${root} leads to another address`,
		),
};

function somethingElse(fact: string): string {
	return `${fact}, so this is not the platform. Enter the root of the platform's API as the 'Base URL', such as https://api.livestorm.co.`;
}
