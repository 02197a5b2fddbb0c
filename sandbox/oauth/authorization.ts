import { parseScopes, sameScopes, scopeProblem } from './scope';
import type { SandboxOptions } from '../options';
import { clientId } from './client';
import { readParameters } from './parameters';

/** An authorize request that may be put before the user. */
export interface Authorization {
	scopes: string[];
	parameters: Record<string, string>;
}

/** `problem` is for the user to read; `redirect` goes back to the app, whose URL is known to be right. */
type Verdict =
	| { problem: string }
	| { redirect: { error: string; error_description: string } }
	| { authorization: Authorization };

const challengePattern = /^[\w.~-]{43,128}$/;

/** Section 4.1. With a wrong client_id or redirect_uri the browser is not redirected: the user is told. */
export function checkAuthorization(query: string, options: SandboxOptions): Verdict {
	const { values, repeated } = readParameters(query);
	if (repeated) return { problem: `The parameter ${repeated} is given more than once.` };
	if (!values['client_id']) return { problem: 'The parameter client_id is missing.' };
	if (values['client_id'] !== clientId) {
		return { problem: `There is no app with the client_id ${values['client_id']}.` };
	}
	if (!values['redirect_uri']) return { problem: 'The parameter redirect_uri is missing.' };
	if (values['redirect_uri'] !== options.redirectUri) {
		return {
			problem: `The redirect_uri ${values['redirect_uri']} is not the one registered for the app: ${options.redirectUri}`,
		};
	}
	const scopes = parseScopes(values['scope'] ?? '');
	const problem = checkScopes(scopes, parseScopes(options.scope));
	if (problem) return { problem };
	const fault = checkResponseType(values['response_type']) ?? checkChallenge(values);
	if (fault) return { redirect: { error: fault[0], error_description: fault[1] } };
	return { authorization: { scopes, parameters: values } };
}

function checkScopes(scopes: string[], configured: string[]): string | null {
	const problem = scopeProblem(scopes) ?? scopeProblem(configured);
	if (problem) return problem;
	if (sameScopes(scopes, configured)) return null;
	return `The app asks for ${scopes.join(' ')}, but is configured for ${configured.join(' ')}. The two must be the same.`;
}

type Fault = [error: string, description: string];

function checkResponseType(type: string | undefined): Fault | null {
	if (!type) return ['invalid_request', 'The parameter response_type is missing.'];
	if (type === 'code') return null;
	return ['unsupported_response_type', 'The only response_type is code.'];
}

function checkChallenge(values: Record<string, string>): Fault | null {
	const { code_challenge: challenge, code_challenge_method: method } = values;
	if (method !== undefined && !['S256', 'plain'].includes(method)) {
		return ['invalid_request', 'The code_challenge_method must be S256 or plain.'];
	}
	if (method !== undefined && !challenge) {
		return ['invalid_request', 'There is a code_challenge_method without a code_challenge.'];
	}
	if (challenge && !challengePattern.test(challenge)) {
		return ['invalid_request', 'The code_challenge must be 43 to 128 unreserved characters.'];
	}
	return null;
}

/** The redirect URL with the answer, and the state as it came: byte for byte, in its own encoding. */
export function backToApp(
	redirectUri: string,
	answer: Record<string, string>,
	query: string,
): string {
	const state = query.split('&').find((part) => /^state=./.test(part));
	const parts = [new URLSearchParams(answer).toString(), ...(state ? [state] : [])];
	return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parts.join('&')}`;
}
