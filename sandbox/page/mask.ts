const plainLength = 4;
const longestPlain = 16;

/** Enough to recognize a secret by, not enough to use it. */
export function mask(secret: string): string {
	return `${secret.slice(0, plainLength)}…`;
}

/** A webhook URL is a secret of its receiver: where it goes stays readable, the rest does not. */
export function maskUrl(text: string): string {
	if (!URL.canParse(text)) return mask(text);
	const { protocol, host, pathname, search } = new URL(text);
	const segments = pathname
		.split('/')
		.map((segment) => (segment.length > longestPlain ? mask(segment) : segment));
	return `${protocol}//${host}${segments.join('/')}${search ? '?…' : ''}`;
}
