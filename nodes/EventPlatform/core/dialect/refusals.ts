import type { PlatformError } from './errors';

/*
 * What this rests on: section 7 shows no words of a refusal. The vendor's pages speak of scopes and of blocked workspaces, and a public
 * client quotes "The field 'x' doesn't exist". The words about pages and about closed sessions are those that a platform may
 * choose: none was recorded. What they do not recognise is told as any other refusal.
 */

function wordsOf(errors: readonly PlatformError[]): string {
	return JSON.stringify(errors).toLowerCase();
}

export function namesScope(errors: readonly PlatformError[]): boolean {
	return wordsOf(errors).includes('scope');
}

/** Finds the scope that the words name, such as `events:read`; undefined where they name none. */
export function scopeIn(errors: readonly PlatformError[]): string | undefined {
	return /\b[a-z]{2,20}:(?:read|write)\b/.exec(JSON.stringify(errors))?.[0];
}

/** A 403 whose words speak of a session or an event concerns no other session. */
export function mentionsSession(errors: readonly PlatformError[]): boolean {
	return /session|event|webinar/.test(wordsOf(errors));
}

export type ClosedSession = 'over' | 'canceled' | 'full';

/**
 * How a session that takes nobody any more may be told, as a code or as a sentence about the session itself. The specification names
 * neither, and without them a closed session costs up to two hundred requests, because its list is divided until each person stands
 * alone.
 */
const closedSessions: ReadonlyArray<readonly [ClosedSession, RegExp]> = [
	[
		'over',
		/^(?:the |this )?(?:session|webinar) (?:(?:is|has) )?(?:already )?(?:over|past|ended|closed)\b/,
	],
	['canceled', /^(?:the |this )?(?:session|webinar) (?:(?:is|was|has been) )?cancell?ed\b/],
	['full', /^(?:the |this )?(?:session|webinar) (?:is )?(?:already )?full\b/],
];

export function closedSessionIn(errors: readonly PlatformError[]): ClosedSession | undefined {
	for (const { code = '', title, detail = title ?? '' } of errors) {
		const said = [code.replaceAll('_', ' '), detail.trim()].map((words) => words.toLowerCase());
		const row = closedSessions.find(([, pattern]) => said.some((words) => pattern.test(words)));
		if (row) return row[0];
	}
	return undefined;
}

/** Writes each error on a line of its own, so that no quotation begins in one error and ends in the next. */
export function linesOf(errors: readonly PlatformError[]): string {
	return errors.map(({ code, title, detail }) => [code, title, detail].join(' ')).join('\n');
}

/** A field that does not exist is refused for each person who has it. The lines are those of `linesOf`. */
export function saysUnknownField(lines: string): boolean {
	return /\b(?:exist|unknown|unrecogni[sz]ed|unsupported|no such)\b/i.test(lines);
}

export function quotationsIn(lines: string): ReadonlySet<string> {
	return new Set([...lines.matchAll(/['"`]([^'"`\n]+)['"`]/g)].map(([, inner = '']) => inner));
}

/**
 * Section 7 means by a 403 that the workspace is blocked. Where its words do not say so, the token may not do this. A firewall in between
 * blocks the address of n8n.
 */
export function saysBlocked(errors: readonly PlatformError[]): boolean {
	const words = wordsOf(errors);
	return /block|suspend/.test(words) && !/\bip\b|address/.test(words);
}

/** A 400 without errors may mean that the page does not exist; one about a parameter that is not understood does not. */
export function mayMeanNoSuchPage(errors: readonly PlatformError[]): boolean {
	if (errors.length === 0) return true;
	const words = wordsOf(errors);
	if (!/\bpage/.test(words) || words.includes('size')) return false;
	return !/param|support|unknown|allow/.test(words);
}

/** Where the words of a 400 speak of a filter, that may be what is refused. */
export function saysNoSuchPage(errors: readonly PlatformError[]): boolean {
	const saysSomething = errors.length > 0 && mayMeanNoSuchPage(errors);
	return saysSomething && !/filter|email/.test(wordsOf(errors));
}
