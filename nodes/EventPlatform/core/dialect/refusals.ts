import type { PlatformError } from './errors';

/*
 * What this rests on: section 7 shows no words of a refusal. The vendor's pages speak of scopes and of blocked workspaces, and a public
 * client quotes "The field 'x' doesn't exist". The words about pages and about closed sessions are those that a platform may
 * choose: none was recorded. What they do not recognise is told as any other refusal.
 */

/** Somebody's value in the words of a refusal, such as the name of a company. */
const quotation = /(?<![\p{L}\p{N}])(['"`])((?:(?!\1).)+)\1(?![\p{L}\p{N}])/gu;
/** An address, or the domain of one. */
const addressPart = /[@.][\p{L}\p{N}]/u;

/** Reads the platform's own words, clause by clause, without the values that they repeat: those may have any word in them. */
function clausesOf(words = ''): string[] {
	const ownWords = words
		.toLowerCase()
		.replaceAll('_', ' ')
		.replace(quotation, '')
		.split(/\s+/)
		.filter((word) => !addressPart.test(word))
		.join(' ');
	return ownWords.split(/[^\p{L}\p{N}\s'’-]+| -+ |\bbecause\b/u).map((clause) => clause.trim());
}

/** A code may look like `session.full`. */
function wordsOfCode(code = ''): string {
	return code.replaceAll('.', ' ');
}

function haveClause(errors: readonly PlatformError[], pattern: RegExp): boolean {
	const texts = errors.flatMap(({ code, title, detail }) => [wordsOfCode(code), title, detail]);
	return texts.flatMap(clausesOf).some((clause) => pattern.test(clause));
}

export function namesScope(errors: readonly PlatformError[]): boolean {
	return haveClause(errors, /\bscopes?\b/);
}

/** Finds the scope that the words name, such as `events:read`; undefined where they name none. */
export function scopeIn(errors: readonly PlatformError[]): string | undefined {
	return /\b[a-z]{2,20}:(?:read|write)\b/.exec(JSON.stringify(errors))?.[0];
}

/** A 403 whose words speak of a session or an event concerns no other session. */
export function mentionsSession(errors: readonly PlatformError[]): boolean {
	return haveClause(errors, /\b(?:session|event|webinar)s?\b/);
}

export type ClosedSession = 'over' | 'canceled' | 'full';

/**
 * How a session that takes nobody any more may be told, as a code or as a sentence about the session itself. The specification names
 * neither, and without them a closed session costs up to two hundred requests, because its list is divided until each person stands
 * alone. A sentence that goes on may be about one person: "The session is closed to free email addresses".
 */
const closedSessions: ReadonlyArray<readonly [ClosedSession, RegExp]> = [
	[
		'over',
		/^(?:the |this )?(?:session|webinar) (?:(?:is|has) )?(?:already )?(?:ended\b|(?:over|past(?: not started)?|closed(?: (?:for|to) (?:new )?registrations?)?)(?=$| and\b))/,
	],
	['canceled', /^(?:the |this )?(?:session|webinar) (?:(?:is|was|has been) )?cancell?ed\b/],
	[
		'full',
		/^(?:the |this )?(?:session|webinar) (?:is )?(?:already )?(?:full|over (?:its )?capacity)(?=$| and\b)/,
	],
];

export function closedSessionIn(errors: readonly PlatformError[]): ClosedSession | undefined {
	for (const { code, title, detail = title } of errors) {
		const said = [wordsOfCode(code), detail].map((words) => clausesOf(words)[0] ?? '');
		const row = closedSessions.find(([, pattern]) => said.some((clause) => pattern.test(clause)));
		if (row) return row[0];
	}
	return undefined;
}

/** Writes each error on a line of its own, so that no quotation begins in one error and ends in the next. */
export function linesOf(errors: readonly PlatformError[]): string {
	return errors.map(({ code, title, detail }) => [code, title, detail].join(' ')).join('\n');
}

const unknownFields = [
	/\b(?:unknown|unrecogni[sz]ed|unsupported|no such) (?:field|question|attribute)/i,
	// "The option for the field 'x' doesn't exist" is about the answer of one person.
	/(?<!\b(?:for|in|of) (?:the )?)\b(?:field|question|attribute)s?(?:,?(?: and)? ['"`][^'"`\n]+['"`])+ (?:does not|doesn['’]t|do not|don['’]t) exist\b/i,
];

/** A field that does not exist is refused for each person who has it. The lines are those of `linesOf`. */
export function saysUnknownField(lines: string): boolean {
	return unknownFields.some((pattern) => pattern.test(lines));
}

export function quotationsIn(lines: string): ReadonlySet<string> {
	return new Set([...lines.matchAll(quotation)].map(([, , inner = '']) => inner));
}

const blockedWorkspace =
	/^(?:(?:your|the|this) )?(?:workspace|account|organi[sz]ation)(?:['’]s (?:api )?access(?: to the api)?)? (?:(?:is|was|has been) (?:\w+ly )?(?:blocked|suspended)\b|(?:blocked|suspended)$)|\b(?:blocked|suspended) for (?:your|the|this) (?:workspace|account|organi[sz]ation)$|^(?:blocked|suspended) (?:workspace|account|organi[sz]ation)$/;

/**
 * Section 7 means by a 403 that the workspace is blocked. Where its words do not say so, the token may not do this, or one person is
 * refused, or a firewall in between blocks the address of n8n.
 */
export function saysBlocked(errors: readonly PlatformError[]): boolean {
	return haveClause(errors, blockedWorkspace);
}

/** The errors of a 400 to page 0 say that the list has no such page, and not that they mean a parameter. */
export function saysNoPage(errors: readonly PlatformError[]): boolean {
	const words = JSON.stringify(errors).toLowerCase();
	const isOfParameter =
		/param|size|filter|email|unsupported|unknown|not (?:supported|allowed)/.test(words);
	return /\bpage/.test(words) && !isOfParameter;
}
