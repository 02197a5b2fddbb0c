import type { Cause, Failure, PlatformError } from './failure';

export interface FailureText {
	/** What happened, in one sentence. */
	title: string;
	/** The platform's own words, and what to do next. */
	description: string;
}

/** What a request was about. Requests do not say; whoever sent them does. */
export interface About {
	/** What was asked for, like "the session". */
	what?: string;
	/** The family of scopes (section 5.3) that the request needs, like "events". */
	scope?: string;
	/** What to say when it exists already. */
	exists?: FailureText;
	/** Where requests go, for when nothing is there. */
	where?: string;
	/** The job that goes on without this workflow, and can be found again by its id. */
	jobId?: string;
}

/** A failure in words for people. */
export function failureText(failure: Failure, about: About = {}): FailureText {
	const [title, next] = phrases[failure.reason](failure, about);
	const status = failure.status === undefined ? '' : ` (${failure.status})`;
	const said = failure.errors.map(sentence).filter((text) => text !== '');
	const reason = said.length > 0 ? `${speaker(failure.reason)}: ${said.join(' · ')} ` : '';
	const job = about.jobId === undefined ? '' : ` The job is ${about.jobId}.`;
	return { title: `${title}${status}`, description: reason + next + job };
}

/** Whose words the errors are. */
function speaker(reason: Cause): string {
	if (reason === 'unconfirmed' || reason === 'unreachable') return 'The network said';
	return reason === 'reconnect' ? 'The reason given' : 'The platform said';
}

type Phrase = (failure: Failure, about: About) => [title: string, next: string];

const phrases: Record<Cause, Phrase> = {
	unauthorized: () => [
		'The platform did not accept the credential',
		'Open the credential and test it. An API token may have been deleted; an OAuth2 credential may need to be connected again.',
	],
	reconnect: () => [
		'The credential has to be connected again',
		"The platform did not renew the access: access was revoked, the token expired, or it was used twice. Open the credential and connect it. If that fails too, check its client, its scopes and its 'Authorization Server URL'.",
	],
	missing_scope: (failure, about) => [
		`The token lacks ${neededScope(failure, about)}`,
		'Choose the scope in the credential and connect it again. The app on the platform has to be configured with the same scopes.',
	],
	workspace_blocked: () => [
		'The workspace is blocked',
		"Ask the workspace's owner, or the platform's support, to unblock access to the API.",
	],
	forbidden: ({ errors, request }, about) => [
		'The platform does not allow this',
		errors.length > 0
			? 'Check what the user of this credential may do in the workspace.'
			: `It did not say why. Either the credential lacks ${scopeFor(request, about)}, or the account has not been validated: check the scopes of the credential, and the account on the platform.`,
	],
	allowance_spent: () => [
		"The workspace's monthly allowance of active contacts is used up",
		'Nobody more can be registered until it is renewed. The plan of the workspace decides how large it is.',
	],
	not_found: (_, { what = 'what the request asked for' }) => [
		`The platform cannot find ${what}`,
		'Check the id: it may have been deleted, or belong to another workspace.',
	],
	page_out_of_range: () => [
		'The page does not exist',
		'Pages are counted from 0; the list is shorter than the page that was asked for.',
	],
	already_exists: (_, { exists }) => [
		exists?.title ?? 'It already exists on the platform',
		exists?.description ?? 'Use the existing one, or give another name.',
	],
	refused: (failure) => [
		platformWords(failure) ?? 'The platform refused the request as invalid',
		'Check the values of this item against what the platform said.',
	],
	unprocessable: (failure) => [
		platformWords(failure) ?? 'The rules of the platform forbid this',
		'Check the values of this item against what the platform said.',
	],
	rate_limited: ({ retryAt }) => [
		'The platform is receiving too many requests with this token',
		`${again(retryAt)}Other workflows or programs may be using the same token.`,
	],
	quota_spent: ({ retryAt }) => [
		"The month's requests to the platform are used up",
		retryAt === undefined
			? 'Requests work again when the month is over. A larger plan allows more of them.'
			: `Requests work again on ${date(retryAt)}. A larger plan allows more of them.`,
	],
	platform_error: ({ request }) => [
		'The platform failed to answer properly',
		request.method === 'GET'
			? 'The cause is on its side. Try again later.'
			: `The cause is on its side. ${lookFirst(request)}`,
	],
	unconfirmed: ({ request }) => [
		'The connection broke before the platform answered',
		request.method === 'GET'
			? 'Try again later. If it happens often, look at the connection between this n8n and the platform.'
			: `The platform may or may not have acted. ${lookFirst(request)}`,
	],
	unreachable: ({ errors }, { where = "the 'Base URL' of the credential" }) => {
		const known = unreached.find(([code]) => code.test(errors[0]?.code ?? ''));
		return [
			known ? known[1](where) : 'The platform cannot be reached',
			"Check the 'Base URL' of the credential, and whether this n8n may connect to it. Nothing was changed.",
		];
	},
	not_json: ({ request }) => [
		'The platform answered with something else than JSON, such as an HTML page',
		`Check that the 'Base URL' of the credential is the API and not the website. If it is, a proxy in between may be answering.${orDone(request)}`,
	],
	unexpected_shape: ({ status = 200, request }) =>
		status >= 300 && status < 400
			? [
					'The platform answered with a redirect',
					"Enter the address it leads to as the 'Base URL' of the credential. Redirects are not followed, so that the token goes nowhere else.",
				]
			: [
					'The answer of the platform does not have the expected form',
					`Check the 'Base URL' of the credential. If it is right, the platform may have changed.${orDone(request)}`,
				],
	time_over: () => [
		'The time was over before the platform could be asked',
		'Allow more time in the options, or work on fewer items at once.',
	],
};

/** Why there was no connection, by what the network said. */
const unreached: ReadonlyArray<[code: RegExp, title: (where: string) => string]> = [
	[/^ECONNREFUSED$/, (where) => `Nothing answers at ${where}`],
	[/^(?:ENOTFOUND|EAI_AGAIN)$/, (where) => `The host of ${where} is not known`],
	[/^(?:EPROTO|ERR_SSL_.*)$/, (where) => `There is no HTTPS at ${where}`],
	[/CERT|UNABLE_TO|SELF_SIGNED/, (where) => `The certificate of ${where} is not trusted`],
];

/** Its own first sentence names the cause; undefined where it is no sentence for people. */
function platformWords({ errors: [first] }: Failure): string | undefined {
	const said = (first?.detail ?? first?.title ?? '').trim();
	if (/session(?:_past| is over| has (?:already )?ended)/i.test(`${first?.code} ${said}`)) {
		return 'The session is over: nobody can register any more';
	}
	return /^[^\n<{[]{10,120}$/.test(said) ? said.replace(/\.$/, '') : undefined;
}

function sentence({ code, title, detail }: PlatformError): string {
	const main = detail ?? title ?? code ?? '';
	const text = code !== undefined && code !== main ? `${main} [${code}]` : main;
	return /[.!?…\]]$/.test(text) || text === '' ? text : `${text}.`;
}

/** The platform's own word for it, else what the request is known to need. */
function neededScope({ errors, request }: Failure, about: About): string {
	const [told] = /\b[a-z]{2,20}:(?:read|write)\b/.exec(JSON.stringify(errors)) ?? [];
	return told === undefined ? scopeFor(request, about) : `the scope ${told}`;
}

function scopeFor({ method }: Failure['request'], { scope }: About): string {
	return scope === undefined
		? 'a scope'
		: `the scope ${scope}:${method === 'GET' ? 'read' : 'write'}`;
}

/** What was updated can be read; what was created or deleted has to be looked for. */
function lookFirst({ method }: Failure['request']): string {
	return method === 'PATCH'
		? 'Get the record again to see whether the change was made, before you run this again.'
		: 'Check whether the change was made before you try again.';
}

/** The answer to a change could not be read, but it said that all went well. */
function orDone({ method }: Failure['request']): string {
	return method === 'GET' ? '' : ' The change may have been made all the same.';
}

function again(retryAt: number | undefined): string {
	return retryAt === undefined ? '' : `Try again after ${date(retryAt)}. `;
}

function date(time: number): string {
	// Beyond what a date can be, for a platform may say anything.
	if (!(Math.abs(time) <= 8.64e15)) return 'a day that is not known';
	const text = new Date(time).toISOString();
	return `${text.slice(0, 10)} at ${text.slice(11, 16)} UTC`;
}
