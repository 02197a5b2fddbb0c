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
