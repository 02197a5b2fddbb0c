/* This file has the texts for people, which say what happened to a request, and what to do next. */
import type { Cause } from '../client/cause';
import type { PlatformError } from '../dialect/errors';
import { closedSessionIn, type ClosedSession, scopeIn } from '../dialect/refusals';
import type { Failure } from '../client/failure';
import { endOfDatesMs } from '../values/dates';
import { problemOfConnecting } from '../client/request';
import type { Ms } from '../values/units';

/** The subject of a request, in the words of the operation that sent it. All of it is optional. */
export interface About {
	/** The thing that the request is about, like "the session". */
	what?: string;
	/** The family of scopes (section 5.3) that the request needs, like "events". */
	scope?: string;
	/** The text for a 409 where the operation knows what exists already. */
	exists?: FailureText;
	/** The credential that the request was sent with. Absent: the advice is about either. */
	credential?: 'apiToken' | 'oAuth2';
	/** Earlier requests of the same run may have changed something. Absent: only this request is spoken of. */
	mayHaveChanged?: true;
	/** The job that goes on without this workflow, and can be found again by its id. */
	jobId?: string;
}

export interface FailureText {
	/** One sentence about the failure, without a full stop. */
	title: string;
	/** The platform's own words, and advice. */
	description: string;
}

type Words = string | ((failure: Failure, about: About) => string);

interface Message {
	/** The title of the error: a sentence about the fault, without a full stop. */
	title: Words;
	advice: Words;
	/** The words in front of the errors; "The platform said" unless the message has its own. */
	introduction?: string;
	hasHiddenErrors?: true;
}

/** Why a session takes nobody any more, in a sentence without a full stop. Whole sentences, because people search for them. */
const closedSessionTexts: Readonly<Record<ClosedSession, (name: string) => string>> = {
	over: (name) => `${name} is over: nobody can register any more`,
	canceled: (name) => `${name} was canceled: nobody can register any more`,
	full: (name) => `${name} is full: nobody else can register`,
};

export function describeClosed(name: string, closed: ClosedSession): string {
	return closedSessionTexts[closed](name);
}

const messages: Readonly<Record<Cause, Message>> = {
	unauthorized: {
		title: 'The platform did not accept the credential',
		advice: (failure, about) =>
			`${adviceFor(howToRenewAccess, about)} The platform may also say this when ${neededScope(failure, about)} is missing. ${adviceFor(howToGetScope, about)}`,
	},
	reconnect: {
		title: 'The credential has to be connected again',
		advice:
			"The platform did not renew the access: access was revoked, the token expired, or it was used twice. Open the credential and connect it. If that fails too, check client ID, client secret, scopes and 'Authorization Server URL'.",
		introduction: 'The reason given',
	},
	missing_scope: {
		title: (failure, about) => `The token lacks ${neededScope(failure, about)}`,
		advice: (_, about) => adviceFor(howToGetScope, about),
	},
	workspace_blocked: {
		title: 'The workspace is blocked',
		advice: "Ask the workspace's owner, or the platform's support, to unblock access to the API.",
	},
	// Section 7 means a blocked workspace, whose 403 says so. The other two causes are from the platform's own pages.
	forbidden: {
		title: 'The platform refused access',
		advice: (failure, about) =>
			`${failure.errors.length === 0 ? 'It gave no reason. Usually' : 'If that does not say why, usually'} the credential lacks ${neededScope(failure, about)}, the workspace is blocked, or access to the API is not enabled for it. ${adviceFor(howToGetScope, about)} Ask the workspace's owner, or the platform's support, about the other two.`,
	},
	allowance_spent: {
		title: "The workspace's allowance of active contacts is used up",
		advice:
			'Nobody else can be registered until it is renewed, or until the workspace has a larger plan.',
		// The platform's own words only repeat the title.
		hasHiddenErrors: true,
	},
	not_found: {
		title: (_, { what = 'what the request asked for' }) => `The platform cannot find ${what}`,
		advice: ({ request }) =>
			`Check the ID: the record may have been deleted, or belong to another workspace.${isSpecified(request) ? '' : ' If it is so with every ID, this platform does not have this operation.'}`,
	},
	no_endpoint: {
		title: ({ request }) => `This platform has no endpoint for ${nameCollection(request)}`,
		advice: ({ request: { method, path } }) =>
			`It does not know ${method} ${path}, so this operation cannot be used there. If other operations fail in the same way, check the 'Base URL' of the credential.`,
	},
	page_out_of_range: {
		title: 'The page does not exist',
		advice:
			'The list became shorter while it was read, or its first page was refused without a reason. Run the node again.',
	},
	nothing_or_filter: {
		title: 'The platform found nothing or rejected a filter',
		advice:
			'The platform may answer an empty list with the same 400 as a filter that it does not know. Remove the filters and options one by one to see which it is.',
	},
	already_exists: {
		title: (_, { exists }) => exists?.title ?? 'It already exists on the platform',
		advice: (_, { exists }) => exists?.description ?? 'Use the existing one, or give another name.',
	},
	session_closed: {
		title: ({ errors }) => describeClosed('The session', closedSessionIn(errors) ?? 'over'),
		advice: 'Choose another session.',
	},
	refused: {
		title: (failure) => platformWords(failure) ?? 'The platform refused the request as invalid',
		advice: 'Check the values of this item against what the platform said.',
	},
	unprocessable: {
		title: (failure) => platformWords(failure) ?? 'The rules of the platform forbid this',
		advice: 'Check the values of this item against what the platform said.',
	},
	rate_limited: {
		title: 'The platform is receiving too many requests with this token',
		advice: (failure) =>
			`${describeAgain(failure)}Other workflows or programs may be using the same token.`,
		// The platform's own words repeat the title, and count the seconds to the time of the advice.
		hasHiddenErrors: true,
	},
	quota_spent: {
		title: "The month's requests to the platform are used up",
		advice: (failure) =>
			`Requests work again ${describeReturn(failure.retryAt)}. More requests are an add-on of the plan.`,
		// As above: nobody reads a date in 1,036,800 s.
		hasHiddenErrors: true,
	},
	platform_error: {
		title: 'The platform answered with a server error',
		advice: (failure) =>
			`The cause is on the side of the platform: see https://status.livestorm.co. ${failure.request.method === 'GET' ? describeAgain(failure, 'Try again later.').trim() : adviseToCheck(failure.request)}`,
	},
	unconfirmed: {
		title: 'The connection broke before the platform answered',
		advice: ({ request }) =>
			request.method === 'GET'
				? 'Try again later. If it happens often, look at the connection between this n8n and the platform.'
				: `The platform may or may not have acted. ${adviseToCheck(request)}`,
		introduction: 'The network said',
	},
	unreachable: {
		title: (failure, about) => describeUnreachable(failure, about),
		advice: ({ errors: [error] }, { credential, mayHaveChanged }) => {
			const hint = adviceOnConnecting(error?.code ?? '');
			const tokens =
				credential === 'apiToken'
					? ''
					: " With OAuth2 the same goes for its 'Authorization Server URL'.";
			return `${hint}Check the 'Base URL' of the credential, and whether this n8n may connect to it.${tokens}${mayHaveChanged ? '' : ' Nothing was changed.'}`;
		},
		introduction: 'The network said',
	},
	not_from_api: {
		title: 'Something other than the API of the platform refused the request',
		advice: (failure) =>
			`${describeAgain(failure)}A proxy, a gateway or a firewall in between may have answered. Most often the people and the values in the request are not the cause, but a firewall may refuse a value that looks like code. Check the 'Base URL' of the credential, and what stands between this n8n and the platform.`,
		introduction: 'It said',
	},
	not_json: {
		title: 'The platform answered with something other than JSON, such as an HTML page',
		advice: ({ request }) =>
			`Check that the 'Base URL' of the credential is the API and not the website. If it is, a proxy in between may be answering.${describePossibleChange(request)}`,
	},
	unexpected_shape: {
		title: (failure) =>
			isRedirect(failure)
				? 'The platform answered with a redirect'
				: 'The answer of the platform does not have the expected form',
		advice: (failure) =>
			isRedirect(failure)
				? "Enter the address it leads to as the 'Base URL' of the credential. Redirects are not followed, so that the token goes nowhere else."
				: `Check the 'Base URL' of the credential. If it is right, the platform may have changed.${describePossibleChange(failure.request)}`,
	},
	incomplete_list: {
		title: 'The platform left out a part of the list',
		advice:
			'Nothing of the list was used, because it is not known what is missing. Run the node again.',
		introduction: 'What is missing',
	},
	time_over: {
		title: 'The time ran out before the request could be sent',
		advice: 'Allow more time in the options, or work on fewer items at once.',
	},
};

export function failureText(failure: Failure, about: About = {}): FailureText {
	const {
		title,
		advice,
		introduction = 'The platform said',
		hasHiddenErrors,
	} = messages[failure.cause];
	const textOf = (words: Words) => (typeof words === 'string' ? words : words(failure, about));
	const status = failure.status === undefined ? '' : ` (${failure.status})`;
	const errors = hasHiddenErrors
		? []
		: failure.errors.map(writeError).filter((words) => words !== '');
	const quotes = errors.length > 0 ? `${introduction}: ${errors.join(' · ')} ` : '';
	const job = about.jobId === undefined ? '' : ` The job is ${about.jobId}.`;
	return { title: textOf(title) + status, description: quotes + textOf(advice) + job };
}

/** The operations that every platform has (4.3), so that a 404 is about the id. */
const specifiedPaths: Record<string, RegExp> = {
	GET: /^\/(?:sessions\/[^/]+\/(?:questions|recordings|chat_messages)|jobs\/[^/]+(?:\/tasks)?)$/,
	POST: /^\/sessions\/[^/]+\/people(?:\/bulk)?$/,
};

function isSpecified({ method, path }: Failure['request']): boolean {
	return specifiedPaths[method]?.test(path) === true;
}

/** Names the last collection of a path, such as "people attributes". */
function nameCollection({ path }: Failure['request']): string {
	const collection = path.split('/').at(-1) ?? '';
	return collection === 'me' ? 'the connected user' : collection.replaceAll('_', ' ');
}

type AdviceByCredential = Readonly<Record<'apiToken' | 'oAuth2', string>>;

const howToRenewAccess: AdviceByCredential = {
	apiToken: 'Test the credential: the API token may be mistyped or deleted.',
	oAuth2: 'The OAuth2 credential may need to be connected again.',
};

const howToGetScope: AdviceByCredential = {
	apiToken:
		'Edit the scopes of the API token on the platform, under Public API in the account settings.',
	oAuth2:
		'Choose the scope in the OAuth2 credential and connect it again; the app on the platform needs the same scopes.',
};

function adviceFor({ apiToken, oAuth2 }: AdviceByCredential, { credential }: About): string {
	if (credential === undefined) return `${apiToken} ${oAuth2}`;
	return credential === 'apiToken' ? apiToken : oAuth2;
}

/** Describes why nothing was reached, as the error code of the network shows. With OAuth2 it may have been the renewal of the token that failed. */
function describeUnreachable({ errors: [error] }: Failure, { credential }: About): string {
	const where = `the 'Base URL'${credential === 'oAuth2' ? " or the 'Authorization Server URL'" : ''} of the credential`;
	return describeUnreached(error?.code ?? '', where) ?? 'The platform cannot be reached';
}

/** Undefined where the error code of the network does not say it. */
export function describeUnreached(code: string, where: string): string | undefined {
	if (code === 'ECONNREFUSED') return `Nothing answers at ${where}`;
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host of ${where} is not known`;
	switch (problemOfConnecting(code)) {
		case 'forbidden':
			return `n8n forbids connections to ${where}`;
		case 'noTls':
			return `There is no HTTPS at ${where}`;
		case 'notTrusted':
			return `The certificate of ${where} is not trusted`;
		case undefined:
			return undefined;
	}
}

function adviceOnConnecting(code: string): string {
	switch (problemOfConnecting(code)) {
		case 'forbidden':
			return "Add its host to n8n's environment variable N8N_SSRF_ALLOWED_HOSTNAMES, or its address to N8N_SSRF_ALLOWED_IP_RANGES. ";
		case 'noTls':
			return 'If HTTP is meant, as for the sandbox, write http:// instead of https://. ';
		default:
			return '';
	}
}

function isRedirect({ status = 200 }: Failure): boolean {
	return status >= 300 && status < 400;
}

/** The platform's first error becomes a title only where it is a sentence for people. */
function platformWords({ errors: [first] }: Failure): string | undefined {
	const words = (first?.detail ?? first?.title ?? '').trim();
	return /^[^\n<{[]{10,120}$/.test(words) ? words.replace(/\.$/, '') : undefined;
}

/** Names the scope that is missing: the one that the platform names, else the one that the request is known to need. */
function neededScope({ errors, request }: Failure, { scope }: About): string {
	const usual = scope && `${scope}:${request.method === 'GET' ? 'read' : 'write'}`;
	const needed = scopeIn(errors) ?? usual;
	return needed ? `the scope ${needed}` : 'a scope';
}

/** Advises people to check before they send again: an updated record can be read, a created or deleted one has to be searched for. */
function adviseToCheck({ method }: Failure['request']): string {
	return method === 'PATCH'
		? 'Get the record again to see whether the change was made, before you run this again.'
		: 'Check whether the change was made before you try again.';
}

/** Says that a change may have been made, because its response could not be read and was no refusal. */
function describePossibleChange({ method }: Failure['request']): string {
	return method === 'GET' ? '' : ' The change may have been made nevertheless.';
}

/** Says until when the platform, or what stands in between, asks to wait. */
function describeAgain({ retryAt }: Failure, otherwise = ''): string {
	return retryAt === undefined ? otherwise : `Try again after ${writeTime(retryAt)}. `;
}

function describeReturn(retryAt: Ms | undefined): string {
	return retryAt === undefined ? 'when the month is over' : `on ${writeTime(retryAt)}`;
}

function writeTime(timeMs: Ms): string {
	// A platform may send a time that is no date.
	if (!(Math.abs(timeMs) < endOfDatesMs)) return 'an unknown day';
	const text = new Date(timeMs).toISOString();
	return `${text.slice(0, 10)} at ${text.slice(11, 16)} UTC`;
}

/** Writes an error of the platform as a sentence, with its code; empty where it says nothing. */
function writeError({ code, title, detail }: PlatformError): string {
	const main = detail ?? title ?? code ?? '';
	const text = code !== undefined && code !== main ? `${main} [${code}]` : main;
	return /[.!?…\]]$/.test(text) || text === '' ? text : `${text}.`;
}
