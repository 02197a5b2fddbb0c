import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { EventPlatformOAuth2Api } from '../../credentials/EventPlatformOAuth2Api.credentials';
import { fieldsOf, unconnectedCredential } from '../support/n8n/engineConsent';
import { type TestSandbox } from '../support/platform/sandbox';
import { wholePlatform } from './scene';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await wholePlatform();
});

/** Gives the scope that a credential with these choices asks for. */
async function asks(choices: ICredentialDataDecryptedObject): Promise<unknown> {
	const credential = unconnectedCredential(sandbox, choices);
	return (await fieldsOf(credential)).scope;
}

async function canBeAskedFor(scope: string) {
	expect(await asks({ scopes: [scope] })).toBe(scope);
}

describe('5.3 Scopes', () => {
	test('Scopes are separated by blanks', async () => {
		const scopes = ['events:read', 'webhooks:read'];
		expect(await asks({ scopes })).toBe('events:read webhooks:read');
	});

	test('`full:read` reads every endpoint', async () => {
		expect(await asks({ access: 'readAll' })).toBe('full:read');
	});

	test('`full:read` is combined with single write scopes only', async () => {
		const writeScopes = ['events:write', 'admin:write'];
		const choices = { access: 'readAll', scopes: ['webhooks:read'], writeScopes };
		expect(await asks(choices)).toBe('full:read events:write admin:write');
	});

	test('`full:write` reads and writes every endpoint', async () => {
		expect(await asks({ access: 'full' })).toBe('full:write');
	});

	test('`full:write` is combined with no other scope', async () => {
		const choices = { scopes: ['events:read'], writeScopes: ['events:write'] };
		expect(await asks({ access: 'full', ...choices })).toBe('full:write');
	});

	test('`identity:read` reads /me and /organization', () => canBeAskedFor('identity:read'));

	test('`identity:write` reads and writes /me and /organization', () =>
		canBeAskedFor('identity:write'));

	test('`events:read` reads /events, /sessions, /people and what is below them', () =>
		canBeAskedFor('events:read'));

	test('`events:write` reads and writes /events, /sessions, /people and what is below them', () =>
		canBeAskedFor('events:write'));

	test('`admin:read` reads /users and /organization', () => canBeAskedFor('admin:read'));

	test('`admin:write` reads and writes /users and /organization', () =>
		canBeAskedFor('admin:write'));

	test('`webhooks:read` reads /webhooks and what is below it', () =>
		canBeAskedFor('webhooks:read'));

	test('`webhooks:write` reads and writes /webhooks and what is below it', () =>
		canBeAskedFor('webhooks:write'));

	test('Apps ask for the fewest scopes that they need', async () => {
		expect(await asks({})).toBe('events:write webhooks:write');
	});

	test('Other scopes than these ten do not exist', () => {
		const { properties } = new EventPlatformOAuth2Api();
		const choicesOf = (field: string) =>
			properties
				.find(({ name }) => name === field)
				?.options?.map((option) => 'value' in option && option.value);
		const single = [
			'admin:read',
			'admin:write',
			'events:read',
			'events:write',
			'identity:read',
			'identity:write',
			'webhooks:read',
			'webhooks:write',
		];
		expect(choicesOf('scopes')).toEqual(single);
		expect(choicesOf('writeScopes')).toEqual([
			'admin:write',
			'events:write',
			'identity:write',
			'webhooks:write',
		]);
		// The last two of them stand for full:read and full:write.
		expect(choicesOf('access')?.sort()).toEqual(['full', 'readAll', 'selected']);
	});
});
