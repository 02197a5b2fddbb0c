import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { partnerApp } from '../support/partnerApp';
import { bearer, detailOf, getAs } from '../support/requests';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});

test('5.1: an access token needs its prefix', async () => {
	const token = await bearer(sandbox);
	expect((await getAs(sandbox, token)).status).toBe(200);
	const bare = await getAs(sandbox, token.replace('Bearer ', ''));
	expect(bare.status).toBe(401);
	expect(detailOf(bare)).toContain('Bearer');
});

test.each(['a guess', 'Bearer a guess'])('5.1: %s is a 401', async (authorization) => {
	expect((await getAs(sandbox, authorization)).status).toBe(401);
});

describe('5.3 scopes', () => {
	/** What section 5.3 opens to each scope, of the operations that a stranger can try without harm. */
	const areas: Record<string, string[]> = {
		identity: ['GET /v1/me', 'GET /v1/organization'],
		events: [
			...['GET /v1/events', 'GET /v1/people', 'GET /v1/people_attributes', 'GET /v1/jobs/none'],
			...['GET /v1/sessions/none/people', 'PATCH /v1/sessions/none', 'POST /v1/events'],
			'POST /v1/sessions/none/people/bulk',
		],
		admin: ['GET /v1/users', 'GET /v1/organization', 'POST /v1/users', 'DELETE /v1/users/none'],
		webhooks: ['GET /v1/webhooks', 'POST /v1/webhooks', 'DELETE /v1/webhooks/none'],
	};
	const requests = [...new Set(Object.values(areas).flat())];
	const names = ['full', ...Object.keys(areas)].flatMap((area) => [
		`${area}:read`,
		`${area}:write`,
	]);

	function opened(scope: string): string[] {
		const [area = '', access] = scope.split(':');
		const listed = area === 'full' ? requests : (areas[area] ?? []);
		return listed.filter((request) => access === 'write' || request.startsWith('GET '));
	}

	test.each(names)('%s opens what section 5.3 says, and nothing else', async (scope) => {
		const headers = { Authorization: await bearer(sandbox, scope) };
		const open: string[] = [];
		for (const request of requests) {
			const [method, url] = request.split(' ');
			// Past the scope, some of them are refused for another reason.
			if ((await sandbox.web.request({ method, url, headers })).status !== 403) open.push(request);
		}
		expect(open.sort()).toEqual(opened(scope).sort());
	});

	test.each([
		['full:read events:write admin:write', 200],
		['identity:read events:write', 200],
		['full:write events:read', 400],
		['full:write full:read', 400],
		['full:read events:read', 400],
		['cats:pet', 400],
	])('an app configured for %s shows the user a %i', async (scope, status) => {
		expect((await partnerApp(await sandboxForTests({ scope })).page()).status).toBe(status);
	});
});
