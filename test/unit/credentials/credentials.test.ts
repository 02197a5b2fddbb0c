import type { ICredentialType, IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { EventPlatformApi } from '../../../credentials/EventPlatformApi.credentials';
import { EventPlatformOAuth2Api } from '../../../credentials/EventPlatformOAuth2Api.credentials';
import { emptyNode, expression } from '../../support/n8n/emptyWorkflow';

const field = ({ properties }: ICredentialType, name: string) =>
	properties.find((property) => property.name === name);
const oAuth2 = new EventPlatformOAuth2Api();
const optionsOf = (name: string) => field(oAuth2, name)?.options as INodePropertyOptions[];
const choicesOf = (name: string) => optionsOf(name).map(({ value }) => value);

test.each<[string, ICredentialType]>([
	['apiToken', new EventPlatformApi()],
	['webhookSecret', new EventPlatformApi()],
	['webhookSecret', new EventPlatformOAuth2Api()],
])('nobody reads %s over a shoulder', (name, credential) => {
	expect(field(credential, name)?.typeOptions).toMatchObject({ password: true });
});

test('each of the eight single scopes can be chosen, and the four to write beside full:read', () => {
	expect(choicesOf('scopes')).toEqual([
		'admin:read',
		'admin:write',
		'events:read',
		'events:write',
		'identity:read',
		'identity:write',
		'webhooks:read',
		'webhooks:write',
	]);
	expect(choicesOf('writeScopes')).toEqual([
		'admin:write',
		'events:write',
		'identity:write',
		'webhooks:write',
	]);
});

test('the two scopes for everything can be chosen', () => {
	expect(choicesOf('access')).toEqual(['selected', 'readAll', 'full']);
});

test('people choose from scopes by their titles and names', () => {
	expect(optionsOf('scopes')[2]).toMatchObject({
		name: 'Events: Read (events:read)',
		description: 'Read events, sessions and people',
	});
});

/** The scopes that n8n asks the platform for when a person has entered this. */
function scopesAskedFor(entered: IDataObject): unknown {
	const scope = field(oAuth2, 'scope')?.default as string;
	return expression.getComplexParameterValue(
		emptyNode,
		scope,
		'internal',
		{},
		undefined,
		undefined,
		entered,
	);
}

const some = ['events:read', 'admin:write', 'identity:read'];
test.each<[what: string, entered: IDataObject, scopes: string]>([
	[
		'single scopes as they were chosen',
		{ access: 'selected', scopes: some },
		'events:read admin:write identity:read',
	],
	[
		'reading everything with single write scopes',
		{ access: 'readAll', writeScopes: ['events:write', 'webhooks:write'] },
		'full:read events:write webhooks:write',
	],
	['reading everything alone', { access: 'readAll' }, 'full:read'],
	[
		'full access and nothing else, whatever was chosen before',
		{ access: 'full', scopes: some, writeScopes: ['admin:write'] },
		'full:write',
	],
	[
		'those of a new credential where n8n put some there that the platform does not have',
		{ access: 'selected', scopes: ['workflow:read', 'events:read'] },
		'events:write webhooks:write',
	],
	['none where none is left', { access: 'selected', scopes: [] }, ''],
	['none where none was ever chosen', { access: 'selected' }, ''],
])('n8n asks for %s', (_, entered, scopes) => {
	expect(scopesAskedFor(entered)).toBe(scopes);
});

test.each([
	['full:read admin:write', '/v1/events?page[size]=1'],
	['events:write webhooks:write', '/v1/events?page[size]=1'],
	['admin:read identity:read', '/v1/users?page[size]=1'],
	['webhooks:read', '/v1/webhooks?page[size]=1'],
	['identity:read', '/v1/organization'],
])('a credential with the scopes %s is tested with %s', (scope, path) => {
	const { url = '' } = oAuth2.test.request;
	const data = { $credentials: { scope } };
	const asked = expression.getSimpleParameterValue(emptyNode, url, 'internal', data);
	expect(asked).toBe(path);
});

describe.each([new EventPlatformApi(), new EventPlatformOAuth2Api()])(
	'the test of $displayName',
	({ test: described }) => {
		const rules = described.rules ?? [];

		test.each([
			[400, 'that is all it means: the token is right'],
			[401, 'does not accept the token (401)'],
			[403, 'the workspace is blocked, or the token lacks the scope'],
			[404, 'Something other than Livestorm answers'],
		])('says after %i what that means', (status, words) => {
			const rule = rules.find(({ properties }) => properties.value === status);
			expect(rule).toMatchObject({ type: 'responseCode' });
			expect(rule?.properties.message).toContain(words);
		});

		test('takes a response without a list for no platform', () => {
			const rule = rules.find(({ type }) => type === 'responseSuccessBody');
			expect(rule?.properties).toMatchObject({ key: 'data', value: undefined });
		});
	},
);
