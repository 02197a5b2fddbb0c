import { DownloadFailed } from './downloadFailed';
import { isPrivateHost } from './privateHost';

/**
 * The address of a file as it may be asked for; `apiRoot` decides whether a private one is plausible.
 * A redirect goes through here as well.
 */
export function checkedLink(given: string, apiRoot: string, base?: string): URL {
	if (!URL.canParse(given, base)) {
		throw new DownloadFailed(
			'The link to the file is not an address',
			'The platform gave no usable link.',
		);
	}
	const url = new URL(given, base);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new DownloadFailed(
			`The link to the file starts with ${url.protocol}//`,
			'Only http:// and https:// are followed.',
		);
	}
	if (isPrivateHost(url.hostname) && !isPrivateHost(new URL(apiRoot).hostname)) {
		throw new DownloadFailed(
			`The link to the file leads into a private network (${url.hostname})`,
			'The API itself is on the internet, so its files should be too. Nothing was sent there.',
		);
	}
	// With them the request would carry a password.
	url.username = '';
	url.password = '';
	return url;
}
