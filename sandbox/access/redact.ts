const secret = /secret|token|password|connection_link/i;

/** A JSON replacer: what lets a person log in or an app call is never shown. */
export function withoutSecrets(key: string, value: unknown): unknown {
	const isSecret = secret.test(key) && key !== 'tokenKind' && typeof value === 'string';
	return isSecret ? '(not shown)' : value;
}
