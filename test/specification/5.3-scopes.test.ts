import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { EventPlatformOAuth2Api } from '../../credentials/EventPlatformOAuth2Api.credentials';
import { fieldsOf, unconnectedCredential } from '../support/n8n/engineConsent';
import { partnerApp } from './partnerApp';
import { bearer } from '../support/platform/requests';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { wholePlatform } from './scene';
import { forEach, statement } from './statement';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await wholePlatform();
});

/** The operations that each scope opens, among those that a stranger can try without harm. */
const areas: Record<string, string[]> = {
	identity: ['GET /v1/me', 'GET /v1/organization'],
	events: [
		'GET /v1/events',
		'GET /v1/people',
		'GET /v1/people_attributes',
		'GET /v1/jobs/none',
		'GET /v1/sessions/none/people',
		'PATCH /v1/sessions/none',
		'POST /v1/events',
		'POST /v1/sessions/none/people/bulk',
	],
	admin: ['GET /v1/users', 'GET /v1/organization', 'POST /v1/users', 'DELETE /v1/users/none'],
	webhooks: ['GET /v1/webhooks', 'POST /v1/webhooks', 'DELETE /v1/webhooks/none'],
};
const requests = [...new Set(Object.values(areas).flat())];
const reads = (request: string) => request.startsWith('GET ');

/** With a token of this scope, these requests and no others are let through. */
async function opens(scope: string, expected: string[]) {
	const headers = { Authorization: await bearer(sandbox, scope) };
	const open: string[] = [];
	for (const request of requests) {
		const [method, url] = request.split(' ');
		// Past the scope, some of them are refused for another reason.
		if ((await sandbox.web.request({ method, url, headers })).status !== 403) open.push(request);
	}
	expect(open.sort()).toEqual(expected.sort());
}

/** Gives the scope that a credential with these choices asks for. */
async function asks(choices: ICredentialDataDecryptedObject): Promise<unknown> {
	const credential = unconnectedCredential(sandbox, choices);
	return (await fieldsOf(credential)).scope;
}

async function canBeAskedFor(scope: string) {
	expect(await asks({ scopes: [scope] })).toBe(scope);
}

/** Gives the status of the page that the user sees when an app with these scopes sends them to the platform. */
async function pageOfAppWith(scope: string): Promise<number> {
	return (await partnerApp(await sandboxForTests({ scope })).page()).status;
}

describe('5.3 Scopes', () => {
	statement('Scopes are separated by blanks', {
		async platform() {
			expect(await pageOfAppWith('identity:read events:write')).toBe(200);
		},
		async client() {
			const scopes = ['events:read', 'webhooks:read'];
			expect(await asks({ scopes })).toBe('events:read webhooks:read');
		},
	});

	statement('`full:read` reads every endpoint', {
		platform: () => opens('full:read', requests.filter(reads)),
		async client() {
			expect(await asks({ access: 'readAll' })).toBe('full:read');
		},
	});

	statement('`full:read` is combined with single write scopes only', {
		async platform() {
			expect(await pageOfAppWith('full:read events:write admin:write')).toBe(200);
			expect(await pageOfAppWith('full:read full:write')).toBe(400);
		},
		async client() {
			const writeScopes = ['events:write', 'admin:write'];
			const choices = { access: 'readAll', scopes: ['webhooks:read'], writeScopes };
			expect(await asks(choices)).toBe('full:read events:write admin:write');
		},
	});

	statement('`full:read` includes every other read scope', {
		platform: forEach(Object.keys(areas), async (area) => {
			expect(await pageOfAppWith(`full:read ${area}:read`)).toBe(400);
		}),
	});

	statement('`full:write` reads and writes every endpoint', {
		platform: () => opens('full:write', [...requests]),
		async client() {
			expect(await asks({ access: 'full' })).toBe('full:write');
		},
	});

	statement('`full:write` is combined with no other scope', {
		platform: forEach(['events:read', 'events:write', 'full:read'], async (scope) => {
			expect(await pageOfAppWith(`full:write ${scope}`)).toBe(400);
		}),
		async client() {
			const choices = { scopes: ['events:read'], writeScopes: ['events:write'] };
			expect(await asks({ access: 'full', ...choices })).toBe('full:write');
		},
	});

	statement('`full:write` includes every other scope', {
		async platform() {
			for (const area of Object.values(areas)) {
				const headers = { Authorization: await bearer(sandbox, 'full:write') };
				for (const request of area) {
					const [method, url] = request.split(' ');
					const { status } = await sandbox.web.request({ method, url, headers });
					expect(status).not.toBe(403);
				}
			}
		},
	});

	statement('`identity:read` reads /me and /organization', {
		platform: () => opens('identity:read', (areas['identity'] ?? []).filter(reads)),
		client: () => canBeAskedFor('identity:read'),
	});

	statement('`identity:write` reads and writes /me and /organization', {
		platform: () => opens('identity:write', [...(areas['identity'] ?? [])]),
		client: () => canBeAskedFor('identity:write'),
	});

	statement('`events:read` reads /events, /sessions, /people and what is below them', {
		platform: () => opens('events:read', (areas['events'] ?? []).filter(reads)),
		client: () => canBeAskedFor('events:read'),
	});

	statement('`events:write` reads and writes /events, /sessions, /people and what is below them', {
		platform: () => opens('events:write', [...(areas['events'] ?? [])]),
		client: () => canBeAskedFor('events:write'),
	});

	statement('`admin:read` reads /users and /organization', {
		platform: () => opens('admin:read', (areas['admin'] ?? []).filter(reads)),
		client: () => canBeAskedFor('admin:read'),
	});

	statement('`admin:write` reads and writes /users and /organization', {
		platform: () => opens('admin:write', [...(areas['admin'] ?? [])]),
		client: () => canBeAskedFor('admin:write'),
	});

	statement('`webhooks:read` reads /webhooks and what is below it', {
		platform: () => opens('webhooks:read', (areas['webhooks'] ?? []).filter(reads)),
		client: () => canBeAskedFor('webhooks:read'),
	});

	statement('`webhooks:write` reads and writes /webhooks and what is below it', {
		platform: () => opens('webhooks:write', [...(areas['webhooks'] ?? [])]),
		client: () => canBeAskedFor('webhooks:write'),
	});

	statement('Scopes that are not those of the app fail when the user authenticates', {
		platform: forEach(['events:read', 'events:write webhooks:write admin:read'], async (scope) => {
			const { status, data } = await partnerApp(sandbox).page({ scope });
			expect(status).toBe(400);
			expect(data).toMatch(/must be the same/);
		}),
	});

	statement('Apps ask for the fewest scopes that they need', {
		async client() {
			expect(await asks({})).toBe('events:write webhooks:write');
		},
	});

	statement(
		'`full:read` and `full:write` are reviewed more strictly',
		{},
		{ note: '`docs/oauth2.md` says it.' },
	);

	statement('Other scopes than these ten do not exist', {
		client() {
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
		},
		platform: forEach(['cats:pet', 'events:delete', 'full', 'jobs:read'], async (scope) => {
			const { status } = await partnerApp(sandbox).page({ scope: `events:write ${scope}` });
			expect(status).toBe(400);
		}),
	});
});
