import { textThat, type Reader } from '../values/storedShape';

/** The error of a 'Base URL' that is no address of an API. Its message is for people. */
export class InvalidBaseUrl extends Error {
	override readonly name = 'InvalidBaseUrl';
}

/** The root of all paths includes `/v1`. People may enter it with a slash, with `/v1`, with a port or with a path. */
export function apiRoot(enteredUrl: unknown): string {
	const text = typeof enteredUrl === 'string' ? enteredUrl.trim() : '';
	if (text === '') throw new InvalidBaseUrl("The credential has no 'Base URL'.");
	const url = parseUrl(text);
	if (url === undefined) {
		throw new InvalidBaseUrl(
			"The 'Base URL' of the credential is not a URL. It has to look like https://api.livestorm.co.",
		);
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new InvalidBaseUrl(
			`The 'Base URL' of the credential has to start with https:// or http://, not with ${url.protocol}//.`,
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw new InvalidBaseUrl(
			"The 'Base URL' of the credential contains a user name or password. Enter the address alone.",
		);
	}
	return url.origin + withoutLastSlashes(url.pathname).replace(/\/v1$/, '') + '/v1';
}

/**
 * The pattern only begins at the first slash of a row: a search that began at each of them would take quadratic time where something
 * stands behind them.
 */
export function withoutLastSlashes(address: string): string {
	return address.replace(/(?<!\/)\/+$/, '');
}

/** Parses a URL; undefined where the text is none. It does not ask `URL.canParse`, which accepts some texts that `new URL` refuses. */
export function parseUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

export const storedUrl: Reader<string> = textThat((url) => parseUrl(url) !== undefined);
