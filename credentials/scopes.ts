import type { Choice, Choices } from '../nodes/EventPlatform/fields/fieldBuilders';

/*
 * The scopes of OAuth2 (section 5.3): which ones people choose from, and which ones n8n asks the platform for. n8n takes
 * them as expressions, in which `$self` is what people have entered in the credential.
 */

/** The scopes of a new credential: what registration and the trigger need. */
export const startScopes = ['events:write', 'webhooks:write'];

const scopeTable: Readonly<Record<string, Choice>> = {
	'admin:read': { name: 'Administration: Read', description: 'Read users and the organization' },
	'admin:write': {
		name: 'Administration: Write',
		description: 'Read and change users and the organization',
	},
	'events:read': { name: 'Events: Read', description: 'Read events, sessions and people' },
	'events:write': {
		name: 'Events: Write',
		description: 'Read and change events, sessions and people; needed for registration',
	},
	'identity:read': {
		name: 'Identity: Read',
		description: 'Read the connected user and the organization',
	},
	'identity:write': {
		name: 'Identity: Write',
		description: 'Read and change the connected user and the organization',
	},
	'webhooks:read': { name: 'Webhooks: Read', description: 'Read webhooks' },
	'webhooks:write': {
		name: 'Webhooks: Write',
		description: 'Read, create and delete webhooks; needed for the trigger',
	},
};

export function scopeChoices(ending = ''): Choices {
	const offeredScopes = Object.entries(scopeTable).filter(([scope]) => scope.endsWith(ending));
	return Object.fromEntries(
		offeredScopes.map(([scope, { name, description }]) => [
			scope,
			{ name: `${name} (${scope})`, description },
		]),
	);
}

const startScopesAsCode = JSON.stringify(startScopes);

/**
 * A part of an expression, which gives the single scopes that were chosen. Where OAuth2 is chosen in n8n's list of kinds, n8n
 * replaces this field by the scopes of the person in n8n, of which the platform knows none: then it gives the scopes of a new
 * credential.
 */
const selectedScopes = [
	'(($self["scopes"] || []).every((name) => /^(admin|events|identity|webhooks):(read|write)$/.test(name))',
	` ? ($self["scopes"] || []) : ${startScopesAsCode})`,
].join('');

/**
 * The scopes that n8n asks for, with spaces between them. By section 5.3 full:read goes with single write scopes only, and
 * full:write with nothing else. A field that is not shown has no value, so a list left over from another choice cannot get in.
 */
export const composedScope: string = asExpression([
	'$self["access"] === "full" ? "full:write"',
	'$self["access"] === "readAll" ? ["full:read"].concat($self["writeScopes"] || []).join(" ")',
	`${selectedScopes}.join(" ")`,
]);

/** The path of a list that the scopes of the credential allow to read, so that the test of the credential is not refused. */
export const readablePath: string = asExpression([
	'/full|events/.test($credentials.scope) ? "/v1/events?page[size]=1"',
	'/admin/.test($credentials.scope) ? "/v1/users?page[size]=1"',
	'/webhooks/.test($credentials.scope) ? "/v1/webhooks?page[size]=1"',
	'"/v1/organization"',
]);

/** Joins the cases into one expression of n8n. Each begins with its condition, except the last, which holds where no condition does. */
function asExpression(cases: readonly string[]): string {
	return `={{ ${cases.join(' : ')} }}`;
}
