/** A file that could not be had, in words for people. It never names more of the link than its host. */
export class DownloadFailed extends Error {
	override readonly name = 'DownloadFailed';
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
	}
}
