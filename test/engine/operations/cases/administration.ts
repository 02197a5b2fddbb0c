import { text } from '../../../../nodes/EventPlatform/core/http/text';
import { aroundNone, cannotFind, firstPage, type OperationCase } from '../operationCase';
import { fresh, makeJob, makeSession, makeUser, makeWebhook } from '../making';

const jobs = aroundNone(async (sandbox) => makeJob(sandbox, await makeSession(sandbox)));
const noSuchJob = cannotFind('job');
const ended = {
	status: 'failed',
	total_items: 2,
	total_processed_items: 2,
	total_success: 1,
	total_fail: 1,
};
/** Where the item has no say, an expression of its second run cannot be worked out. */
const brokenExpression = (path: string) => ({
	parameters: { simplify: "={{ $json.whole ? true : $('Nowhere').item.json.simplify }}" },
	items: () => [{ whole: true }, { whole: false }, { whole: true }],
	fails: /Nowhere|node doesn't exist/,
	sends: () => [`GET ${path}`],
	sendsInVain: () => [],
});

/** Without any parameter only the platform can fail, and for as often as a read is repeated. */
const brokenPing = {
	items: () => [{}, {}, {}],
	faults: [{ match: { path: '/v1/ping' }, after: 1, times: 4, do: 'html-502' as const }],
	fails: /^The platform failed to answer properly \(502\)$/,
	because: /Try again later/,
	sends: () => ['GET /ping'],
	sendsInVain: () => Array.from({ length: 4 }, () => 'GET /ping'),
};

export const administrationCases: Record<string, OperationCase> = {
	'job.get': {
		parameters: { jobId: '={{ $json.id }}' },
		items: jobs,
		fails: noSuchJob,
		sends: ({ id }) => [`GET /jobs/${text(id)}`],
		gives: ({ id }) => [{ id, ...ended }],
	},
	'job.getTasks': {
		parameters: { jobId: '={{ $json.id }}', options: { onlyFailed: true } },
		items: jobs,
		fails: noSuchJob,
		sends: ({ id }) => [`GET /jobs/${text(id)}/tasks?${firstPage()}`],
		gives: ({ id }) => [{ status: 'failed', person: null, job_id: id }],
	},
	'job.wait': {
		parameters: { jobId: '={{ $json.id }}' },
		items: jobs,
		fails: noSuchJob,
		sends: ({ id }) => [`GET /jobs/${text(id)}`],
		gives: ({ id }) => [{ id, ...ended, timed_out: false }],
	},
	'webhook.getAll': {
		parameters: { limit: 1, filters: { event: '={{ $json.event }}' } },
		items: async (sandbox) => {
			await makeWebhook(sandbox);
			return [{ event: 'job.ended' }, { event: 'job.started' }, { event: 'job.ended' }];
		},
		fails: /^The platform refused the request as invalid \(400\)$/,
		because: /filter\[event\]/,
		sends: ({ event }) => [`GET /webhooks?filter[event]=${text(event)}&${firstPage(1)}`],
		gives: () => [{ type: 'webhooks', event: 'job.ended' }],
	},
	'webhook.create': {
		parameters: { url: '={{ $json.url }}', webhookEvent: 'session.ended' },
		items: () => [
			{ url: `https://hooks.example.com/${fresh('hook')}` },
			{ url: 'not a url' },
			{ url: `https://hooks.example.com/${fresh('hook')}` },
		],
		fails: /url must match format "uri" \(400\)$/,
		because: /url/i,
		sends: () => ['POST /webhooks'],
		body: ({ url }) => ({
			data: { type: 'webhooks', attributes: { url, event: 'session.ended' } },
		}),
		gives: ({ url }) => [{ type: 'webhooks', url, event: 'session.ended' }],
	},
	'webhook.delete': {
		parameters: { webhookId: '={{ $json.id }}' },
		items: aroundNone(makeWebhook),
		fails: cannotFind('webhook'),
		sends: ({ id }) => [`DELETE /webhooks/${text(id)}`],
		gives: ({ id }) => [{ deleted: true, id }],
	},
	'user.getAll': {
		parameters: { limit: '={{ $json.limit }}', filters: { role: 'owner' } },
		items: () => [{ limit: 1 }, { limit: 2.5 }, { limit: 2 }],
		fails: /^'Limit' is not a whole number above 0$/,
		sends: ({ limit }) => [`GET /users?filter[role]=owner&${firstPage(Number(limit))}`],
		sendsInVain: () => [],
		gives: () => [{ type: 'users', role: 'owner' }],
	},
	'user.create': {
		parameters: { email: '={{ $json.email }}', role: 'host' },
		items: async (sandbox) => {
			const [email, other] = [fresh('host'), fresh('host')].map((name) => `${name}@example.com`);
			await makeUser(sandbox);
			return [{ email }, { email: 'olivia.owner@example.com' }, { email: other }];
		},
		fails: /^It already exists on the platform|its rules forbid it/,
		sends: () => ['POST /users'],
		body: ({ email }) => ({ data: { type: 'users', attributes: { email, role: 'host' } } }),
		gives: ({ email }) => [{ type: 'users', email, role: 'host', pending_invite: true }],
	},
	'user.delete': {
		parameters: { userId: '={{ $json.id }}' },
		items: aroundNone(makeUser, '..'),
		fails: /^'User': "\.\." cannot be an ID\.$/,
		sends: ({ id }) => [`DELETE /users/${text(id)}`],
		sendsInVain: () => [],
		gives: ({ id }) => [{ deleted: true, id }],
	},
	'account.getMe': {
		...brokenExpression('/me'),
		gives: () => [{ type: 'users', role: 'owner' }],
	},
	'account.getOrganization': {
		...brokenExpression('/organization'),
		gives: () => [{ type: 'organizations', name: 'Sandbox Workspace' }],
	},
	'account.getUsage': { ...brokenPing, gives: () => [{ remaining: null }] },
	'account.ping': { ...brokenPing, gives: () => [{ ok: true }] },
};
