import { DownloadFailed } from './downloadFailed';

/** Where links may lead: into a private network only if the API is in one, too. */
export interface Surroundings {
	apiRoot: string;
	isPrivate(url: URL): Promise<boolean>;
}

/** The address of a file as it may be asked for. A redirect goes through here as well. */
export async function checkedLink(
	given: string,
	{ apiRoot, isPrivate }: Surroundings,
	base?: string,
): Promise<URL> {
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
