import type { PlatformError } from './errors';

/** The errors of a refusal as one text in small letters, in which words are looked for. */
function wordsOf(errors: readonly PlatformError[]): string {
	return JSON.stringify(errors).toLowerCase();
}

/** Whether the words of a 401 or 403 name a scope: the token lacks it. */
export function namesScope(errors: readonly PlatformError[]): boolean {
	return wordsOf(errors).includes('scope');
}

/** Whether the words of a 403 say that the workspace is blocked. Section 7 means that by it; without a word it is a key that may not. */
export function saysBlocked(errors: readonly PlatformError[]): boolean {
	return /block|suspend/.test(wordsOf(errors));
}

/** Whether the words of a 400 mention pages at all. */
export function mentionsPage(errors: readonly PlatformError[]): boolean {
	return wordsOf(errors).includes('page');
}

/** Whether the words of a 400 leave open or say that the page does not exist. Parameters that are not understood are another matter. */
export function mayMeanNoSuchPage(errors: readonly PlatformError[]): boolean {
	if (errors.length === 0) return true;
	const words = wordsOf(errors);
	if (!/\bpage/.test(words) || words.includes('size')) return false;
	return /exist|range|beyond|empty/.test(words) || !/param|support|unknown|allow/.test(words);
}
