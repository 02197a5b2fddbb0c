export class InvalidBaseUrl extends Error {
	override readonly name = 'InvalidBaseUrl';
}

/** The root of all paths, `/v1` included, from what people enter: with a slash, with `/v1`, with a port or path. */
export function apiRoot(entered: unknown): string {
	const text = typeof entered === 'string' ? entered.trim() : '';
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

/** Looked for from the first slash only: from each it would take quadratic time, with something behind them. */
export function withoutLastSlashes(address: string): string {
	return address.replace(/(?<!\/)\/+$/, '');
}

/** `URL.canParse` takes some that cannot be made into one. */
export function parseUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}
