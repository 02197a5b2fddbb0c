import { aroundNone, aroundWrong, bodyOf, firstPage, type OperationCase } from '../operationCase';
import {
	fresh,
	makeJob,
	makeSession,
	makeUser,
	makeWebhook,
} from '../../../support/platform/platformRecords';

const jobId = '={{ $json.id }}';
const ofJobs = aroundNone(async (sandbox) => makeJob(sandbox, await makeSession(sandbox)), 'job');
const ended = {
	status: 'failed',
	total_items: 2,
	total_processed_items: 2,
	total_success: 1,
	total_fail: 1,
};
/** Where the item has no say, an expression of its second run cannot be worked out. */
const brokenExpression = {
	parameters: { simplify: "={{ $json.whole ? true : $('Nowhere').item.json.simplify }}" },
	items: () => [{ whole: true }, { whole: false }, { whole: true }],
	fails: /Nowhere|node doesn't exist/,
	sendsInVain: [],
};

/** Without any parameter only the platform can fail. It fails as often as a read is repeated. */
const brokenPing = {
	items: () => [{}, {}, {}],
	faults: [{ match: { path: '/v1/ping' }, after: 1, times: 4, do: 'html-502' as const }],
	fails: /^The platform answered with a server error \(502\)$/,
	sends: ['GET /ping'],
	sendsInVain: Array.from({ length: 4 }, () => 'GET /ping'),
};

export const administrationCases: Record<string, OperationCase> = {
	'job.get': {
		...ofJobs,
		parameters: { jobId },
		sends: ({ id }) => [`GET /jobs/${id}`],
		gives: ({ id }) => ({ id, ...ended }),
	},
	'job.getTasks': {
		...ofJobs,
		parameters: { jobId, options: { onlyFailed: true } },
		sends: ({ id }) => [`GET /jobs/${id}/tasks?${firstPage()}`],
		// A refusal may mean that there are no results yet, which the state of the job tells.
		sendsInVain: ({ id }) => [`GET /jobs/${id}/tasks?${firstPage()}`, `GET /jobs/${id}`],
		gives: ({ id }) => ({ status: 'failed', person: null, job_id: id }),
	},
	'job.wait': {
		...ofJobs,
		parameters: { jobId },
		sends: ({ id }) => [`GET /jobs/${id}`],
		gives: ({ id }) => ({ id, ...ended, timed_out: false }),
	},
	'webhook.getAll': {
		parameters: { limit: 1, filters: { event: '={{ $json.event }}' } },
		items: async (sandbox) => {
			await makeWebhook(sandbox);
			return ['job.ended', 'job.started', 'job.ended'].map((event) => ({ event }));
		},
		fails: /^The platform refused the request as invalid \(400\)$/,
		sends: ({ event }) => [`GET /webhooks?filter[event]=${event}&${firstPage(1)}`],
		gives: { type: 'webhooks', event: 'job.ended' },
	},
	'webhook.create': {
		parameters: { url: '={{ $json.url }}', webhookEvent: 'session.ended' },
		items: () => {
			const [first, second] = [fresh('hook'), fresh('hook')].map(
				(name) => `https://x.example/${name}`,
			);
			return [{ url: first }, { url: 'not a url' }, { url: second }];
		},
		fails: /url must match format "uri" \(400\)$/,
		sends: ['POST /webhooks'],
		body: ({ url }) => bodyOf('webhooks', { url, event: 'session.ended' }),
		gives: ({ url }) => ({ type: 'webhooks', url, event: 'session.ended' }),
	},
	'webhook.delete': {
		...aroundNone(makeWebhook, 'webhook'),
		parameters: { webhookId: jobId },
		sends: ({ id }) => [`DELETE /webhooks/${id}`],
		gives: ({ id }) => ({ deleted: true, id }),
	},
	'user.getAll': {
		parameters: { limit: '={{ $json.limit }}', filters: { role: 'owner' } },
		items: () => [{ limit: 1 }, { limit: 2.5 }, { limit: 2 }],
		fails: /^'Limit' must be a whole number, 1 or higher$/,
		sends: ({ limit }) => [`GET /users?filter[role]=owner&${firstPage(limit)}`],
		sendsInVain: [],
		gives: { type: 'users', role: 'owner' },
	},
	'user.create': {
		parameters: { email: '={{ $json.email }}', role: 'host' },
		items: () =>
			[fresh('host'), 'olivia.owner', fresh('host')].map((name) => ({
				email: `${name}@example.com`,
			})),
		fails: /^It already exists on the platform|its rules forbid it/,
		sends: ['POST /users'],
		body: ({ email }) => bodyOf('users', { email, role: 'host' }),
		gives: ({ email }) => ({ type: 'users', email, role: 'host', pending_invite: true }),
	},
	'user.delete': {
		...aroundWrong(makeUser, '..', /^'User': "\.\." cannot be an ID\.$/),
		parameters: { userId: jobId },
		sends: ({ id }) => [`DELETE /users/${id}`],
		gives: ({ id }) => ({ deleted: true, id }),
	},
	'account.getMe': {
		...brokenExpression,
		sends: ['GET /me'],
		gives: { type: 'users', role: 'owner' },
	},
	'account.getOrganization': {
		...brokenExpression,
		sends: ['GET /organization'],
		gives: { type: 'organizations', name: 'Sandbox Workspace' },
	},
	'account.getUsage': { ...brokenPing, gives: { remaining: null } },
	'account.ping': { ...brokenPing, gives: { ok: true } },
};
