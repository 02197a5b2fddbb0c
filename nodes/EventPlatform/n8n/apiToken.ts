import { text } from '../core/values/text';

/**
 * Reads the API token of a credential as the platform takes it (5.1: with no prefix). Pages and other tools show it behind
 * "Bearer", with which the platform would look it up among the tokens of apps, so people who paste both mean the token alone.
 */
export function readApiToken(pastedToken: unknown): string {
	return text(pastedToken).replace(/^\s*(?:authorization\s*:\s*)?bearer\s+(?=\S)/i, '');
}
