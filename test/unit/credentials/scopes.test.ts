import type { IDataObject } from 'n8n-workflow';
import { composedScope, readablePath, scopeChoices } from '../../../credentials/scopes';
import { emptyNode, expression } from '../../support/n8n/emptyWorkflow';

/** The scopes that n8n asks the platform for when a person has entered this. */
function scopesAskedFor(entered: IDataObject): unknown {
	return expression.getComplexParameterValue(
		emptyNode,
		composedScope,
		'internal',
		{},
		undefined,
		undefined,
		entered,
	);
}

test('single scopes are asked for as they were chosen', () => {
	const scopes = ['events:read', 'admin:write', 'identity:read'];
	expect(scopesAskedFor({ access: 'selected', scopes })).toBe(
		'events:read admin:write identity:read',
	);
});

test('reading everything goes with single write scopes', () => {
	const entered = { access: 'readAll', writeScopes: ['events:write', 'webhooks:write'] };
	expect(scopesAskedFor(entered)).toBe('full:read events:write webhooks:write');
	expect(scopesAskedFor({ access: 'readAll' })).toBe('full:read');
});

test('full access goes with nothing else, whatever was chosen before', () => {
	expect(
		scopesAskedFor({ access: 'full', scopes: ['events:read'], writeScopes: ['admin:write'] }),
	).toBe('full:write');
});

test('scopes that n8n put there and that the platform does not have give way to those of a new credential', () => {
	const scopes = ['workflow:read', 'events:read'];
	expect(scopesAskedFor({ access: 'selected', scopes })).toBe('events:write webhooks:write');
});

test('no single scope asks for none', () => {
	expect(scopesAskedFor({ access: 'selected', scopes: [] })).toBe('');
	expect(scopesAskedFor({ access: 'selected' })).toBe('');
});

test.each([
	['full:read admin:write', '/v1/events?page[size]=1'],
	['events:write webhooks:write', '/v1/events?page[size]=1'],
	['admin:read identity:read', '/v1/users?page[size]=1'],
	['webhooks:read', '/v1/webhooks?page[size]=1'],
	['identity:read', '/v1/organization'],
])('a credential with the scopes %s is tested with %s', (scope, path) => {
	const data = { $credentials: { scope } };
	const asked = expression.getSimpleParameterValue(emptyNode, readablePath, 'internal', data);
	expect(asked).toBe(path);
});

test('people choose from scopes by their titles and names', () => {
	expect(scopeChoices()['events:read']).toEqual({
		name: 'Events: Read (events:read)',
		description: 'Read events, sessions and people',
	});
	expect(Object.keys(scopeChoices(':write')).every((name) => name.endsWith(':write'))).toBe(true);
});
