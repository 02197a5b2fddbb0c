import type { AxiosInstance } from 'axios';
import { visit } from './browser';
import { partnerApp } from './oauthClient';
import { detailOf, openSandbox, type Visitor } from './visitor';

// Hundreds of requests, on a machine that may be busy.
const names = ['full', 'identity', 'events', 'admin', 'webhooks'].flatMap((area) => [
	`${area}:read`,
	`${area}:write`,
]);

/** What section 5.3 opens to each scope, of the operations that a stranger can try without harm. */
const areas: Record<string, string[]> = {
	identity: ['GET /v1/me', 'GET /v1/organization'],
	events: [
		'GET /v1/events',
		'GET /v1/sessions',
		'GET /v1/people',
		'GET /v1/people_attributes',
		'GET /v1/events/none/people',
		'GET /v1/sessions/none/people',
		'GET /v1/jobs/none',
		'POST /v1/events',
		'DELETE /v1/events/none',
		'POST /v1/sessions/none/people',
		'POST /v1/sessions/none/people/bulk',
		'PATCH /v1/sessions/none',
	],
	admin: ['GET /v1/users', 'GET /v1/organization', 'POST /v1/users', 'DELETE /v1/users/none'],
	webhooks: ['GET /v1/webhooks', 'POST /v1/webhooks', 'DELETE /v1/webhooks/none'],
};
const requests = [...new Set(Object.values(areas).flat())];

function isOpen(scope: string, request: string): boolean {
	const [area = '', access] = scope.split(':');
	const listed = area === 'full' ? requests : (areas[area] ?? []);
	return listed.includes(request) && (access === 'write' || request.startsWith('GET '));
}

let visitor: Visitor;
beforeAll(async () => {
	visitor = await openSandbox();
});

/** Whether the scope let the request through to whatever came next. */
async function opens(api: AxiosInstance, request: string): Promise<boolean> {
	const [method, url] = request.split(' ');
	const answer = await api.request({ method, url });
	if (answer.status !== 403) return true;
	expect(detailOf(answer)).toMatch(/scope/);
	return false;
}

test.each(names)('%s opens what section 5.3 says, and nothing else', async (scope) => {
	const api = visitor.as(await visitor.bearer(scope));
	for (const request of requests) {
		expect([request, await opens(api, request)]).toEqual([request, isOpen(scope, request)]);
	}
});

describe('at the consent page', () => {
	test.each([
		'full:write',
		'full:read',
		'full:read events:write admin:write',
		'identity:read events:write',
		'events:read events:write',
	])('an app may be configured for %s', async (scope) => {
		const { sandbox } = await openSandbox({ scope });
		const page = await visit(partnerApp(sandbox).authorizeUrl());
		expect([page.status, page.form?.decisions]).toEqual([200, ['deny', 'allow']]);
	});

	test.each([
		'full:write events:read',
		'full:write full:read',
		'full:read events:read',
		'cats:pet',
	])('%s fails before the eyes of the user', async (scope) => {
		const { sandbox } = await openSandbox({ scope });
		const page = await visit(partnerApp(sandbox).authorizeUrl());
		expect([page.status, page.sentTo, page.form]).toEqual([400, undefined, undefined]);
	});
});
