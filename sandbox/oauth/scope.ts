export const scopeNames = [
	'full:read',
	'full:write',
	'identity:read',
	'identity:write',
	'events:read',
	'events:write',
	'admin:read',
	'admin:write',
	'webhooks:read',
	'webhooks:write',
] as const;

export type ScopeName = (typeof scopeNames)[number];

const allScopes: ReadonlySet<string> = new Set(scopeNames);

/** The scopes of a space-separated list, each once, in the order given. */
export function parseScopes(text: string): string[] {
	return [...new Set(text.split(' ').filter(Boolean))];
}

/** Why section 5.3 forbids these scopes together, or null when it does not. */
export function scopeProblem(scopes: readonly string[]): string | null {
	if (scopes.length === 0) return 'No scope was requested.';
	const unknown = scopes.filter((scope) => !allScopes.has(scope));
	if (unknown.length > 0) return `Unknown scope: ${unknown.join(', ')}.`;
	if (scopes.includes('full:write') && scopes.length > 1) {
		return 'full:write includes every other scope and cannot be combined with any.';
	}
	if (scopes.includes('full:read') && scopes.some(isIndividualRead)) {
		return 'full:read may be combined only with individual write scopes.';
	}
	return null;
}

function isIndividualRead(scope: string): boolean {
	return scope.endsWith(':read') && scope !== 'full:read';
}

export function sameScopes(a: readonly string[], b: readonly string[]): boolean {
	return a.length === b.length && a.every((scope) => b.includes(scope));
}

/** Whether what was granted covers `needed`: writing includes reading, full includes all of its kind. */
export function covers(granted: readonly string[], needed: string): boolean {
	const family = needed.slice(0, needed.indexOf(':'));
	const enough = [needed, `${family}:write`, 'full:write'];
	if (needed.endsWith(':read')) enough.push('full:read');
	return granted.some((scope) => enough.includes(scope));
}
