import { parseUrl } from '../client/baseUrl';
import { DownloadFailed } from './downloadFailed';

/** Parses a link to a file. Where it may lead is decided by n8n's own protection of private networks, as for every other node. */
export function parseLink(link: string): URL {
	const url = parseUrl(link);
	if (url === undefined) {
		throw new DownloadFailed(
			'The link to the file is not a URL',
			'The platform gave no usable link.',
		);
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new DownloadFailed(
			`The link to the file starts with ${url.protocol}//`,
			'Only http:// and https:// are followed.',
		);
	}
	// A user name and a password in the link would be sent along.
	url.username = '';
	url.password = '';
	return url;
}
