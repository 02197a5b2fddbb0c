const secret = /secret|token|password|connection_link/i;

/** A JSON replacer that hides secrets of apps and links and keys that log a person in. */
export function withoutSecrets(key: string, value: unknown): unknown {
	const isSecret = secret.test(key) && key !== 'tokenKind' && typeof value === 'string';
	return isSecret ? '(not shown)' : value;
}
