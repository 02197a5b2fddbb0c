import type { ICredentialType, INodePropertyOptions } from 'n8n-workflow';
import { EventPlatformApi } from '../../../credentials/EventPlatformApi.credentials';
import { EventPlatformOAuth2Api } from '../../../credentials/EventPlatformOAuth2Api.credentials';

const field = ({ properties }: ICredentialType, name: string) =>
	properties.find((property) => property.name === name);
const choicesOf = (name: string) =>
	((field(new EventPlatformOAuth2Api(), name)?.options ?? []) as INodePropertyOptions[]).map(
		({ value }) => value,
	);

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
