/** Gives the media type that the platform names; undefined where it sends something else, such as `mp4`, so that the file name decides. */
export function mediaType(sent: string): string | undefined {
	const type = sent.trim();
	return type.includes('/') ? type : undefined;
}
