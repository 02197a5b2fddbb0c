import { text } from '../core/values/text';

/**
 * The API token of a credential as the platform takes it (5.1: with no prefix). Pages and other tools show it behind "Bearer",
 * with which the platform would look it up among the tokens of apps, so people who paste that mean the token.
 */
export function readApiToken(pasted: unknown): string {
	return text(pasted).replace(/^\s*(?:authorization\s*:\s*)?bearer\s+(?=\S)/i, '');
}
