/**
 * Names the platform in a text for people: Livestorm where the credential leads there. Elsewhere, as in a sandbox, it stays "the
 * platform". Undefined: where the credential leads is not known.
 */
export function namePlatform(message: string, apiRoot: string | undefined): string {
	if (apiRoot === undefined || !/(?:^|\.)livestorm\.co$/.test(new URL(apiRoot).hostname)) {
		return message;
	}
	return message
		.replace(/\bon the platform\b/g, 'in Livestorm')
		.replace(/\b[Tt](?:he|his) platform\b/g, 'Livestorm');
}
