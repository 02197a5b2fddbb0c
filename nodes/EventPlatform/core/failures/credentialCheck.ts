import { afterResponse, type Cause } from '../http/failure';
import { failureText } from './causes';
import { isPrivateHost } from '../http/baseUrl';
import type { Answer, ApiRequest, Lost } from '../http/ports';

const ping: ApiRequest = { method: 'GET', path: '/ping', once: true };

export type Ping = (request: ApiRequest, withToken: boolean) => Promise<Answer | Lost>;

/** Why a token does not work at an address, in words for people; undefined when it does. */
export async function problemOfToken(root: string, send: Ping, now: number) {
	const verdict = afterResponse(ping, await send(ping, true), 1, now);
	if ('failure' in verdict) {
		const { failure } = verdict;
		const { title, description } = failureText(failure, { where: root });
		return words[failure.reason]?.(root) ?? `${title}. ${description}`;
	}
	// Whatever answers 200 to everything is found out by what the platform refuses: a request without a token.
	const bare = await send(ping, false);
	const isRefused = 'lost' in bare || bare.status >= 400;
	if (!isRefused) return somethingElse(`${root} answers without a token too`);
	const { protocol, hostname } = new URL(root);
	return protocol === 'http:' && !isPrivateHost(hostname)
		? "The platform accepts the API token, but the 'Base URL' begins with http://, so anyone on the network can read the token. Enter it with https://."
		: undefined;
}

const words: Partial<Record<Cause, (root: string) => string>> = {
	unauthorized: (root) =>
		`The platform at ${root} does not accept the API token (401). Copy it again from the account settings of the workspace: it may have been deleted, or belong to another platform.`,
	not_found: (root) => somethingElse(`There is no ${root}/ping (404)`),
	not_json: (root) => somethingElse(`${root} answers with a page and not with JSON`),
	unexpected_shape: (root) => somethingElse(`${root} leads to another address`),
};

function somethingElse(fact: string): string {
	return `${fact}, so this is not the platform. Enter the root of the platform's API as the 'Base URL', such as https://api.livestorm.co.`;
}
