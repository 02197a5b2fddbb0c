import { parseUrl } from '../client/baseUrl';

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

/** The error of a download that came to nothing. Its words are for people, and say no more of the link than its host. */
export class DownloadFailed extends Error {
	override readonly name = 'DownloadFailed';
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
	}
}

/** File systems take 255 bytes, of which an ending takes up to eleven. */
const mostBytes = 240;

/**
 * Makes a file name of a title, without control, bidi and path characters, which may not stand in a folder or on a page. `fallback`:
 * the name of a file whose title has no other characters.
 */
export function fileName(title: string, fallback: string): string {
	const name = (title.split(/[\\/]/).at(-1) ?? '')
		.replace(/\p{C}/gu, '')
		.replace(/[:*?"<>|]/g, '_')
		.trim()
		.replace(/^\.+/, '');
	const [ending = ''] = /\.\w{1,10}$/.exec(name) ?? [];
	const beginning = name.slice(0, name.length - ending.length);
	// It reads whole characters only.
	const { read } = new TextEncoder().encodeInto(beginning, new Uint8Array(mostBytes));
	return beginning === '' ? fallback : beginning.slice(0, read) + ending;
}
