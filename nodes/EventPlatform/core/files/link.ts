/** Where links may lead: into a private network only if the API is in one, too. */
export interface Surroundings {
	apiRoot: string;
	isPrivate(url: URL): Promise<boolean>;
}

export async function checkedLink(
	given: string,
	{ apiRoot, isPrivate }: Surroundings,
	base?: string,
): Promise<URL> {
	if (!URL.canParse(given, base)) {
		throw new DownloadFailed(
			'The link to the file is not a URL',
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
	if ((await isPrivate(url)) && !(await isPrivate(new URL(apiRoot)))) {
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

/** In words for people. It never names more of the link than its host. */
export class DownloadFailed extends Error {
	override readonly name = 'DownloadFailed';
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
	}
}

/** Enough for people; file systems take 255 bytes. */
const longest = 120;

/** As it may stand in a folder and on a page: without control, bidi and path characters. */
export function fileName(given: string, otherwise: string): string {
	const name = (given.split(/[\\/]/).at(-1) ?? '')
		.replace(/\p{C}/gu, '')
		.replace(/[:*?"<>|]/g, '_')
		.trim()
		.replace(/^\.+/, '');
	const [ending = ''] = /\.\w{1,10}$/.exec(name) ?? [];
	const start = [...name.slice(0, name.length - ending.length)].slice(0, longest).join('');
	return start === '' ? otherwise : start + ending;
}
