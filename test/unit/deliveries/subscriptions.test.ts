import { reconcile } from '../../../nodes/EventPlatform/core/deliveries/subscriptions';
import type { Api, ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

const url = 'https://n8n.example.org/webhook/1';

/** A platform with these subscriptions, as JSON:API attributes. */
function platform(subscriptions: JsonObject[]) {
	const deleted: string[] = [];
	const data = subscriptions.map((attributes, n) => ({
		id: `w-${n}`,
		type: 'webhooks',
		attributes,
	}));
	const call = ({ method, path }: ApiRequest) => {
		if (method === 'DELETE') deleted.push(path);
		return Promise.resolve({ status: 200, headers: {}, body: method === 'GET' ? { data } : '' });
	};
	const api: Api = Object.assign(call, { usage: { requests: 0, perSecond: 5 } });
	return { api, deleted };
}

test.each<[string, JsonObject]>([
	['disabled', { disabled: true }],
	['disabled since', { disabled_at: 1_700_000_000 }],
	['of that status', { status: 'disabled' }],
	['not enabled', { enabled: false }],
	['not active', { active: false }],
])('a subscription that is marked as %s is replaced', async (_, mark) => {
	const { api, deleted } = platform([{ url, event: 'job.ended', ...mark }]);
	expect(await reconcile(api, url, ['job.ended'])).toEqual({});
	expect(deleted).toEqual(['/webhooks/w-0']);
});

test.each(['https://N8N.example.org/webhook/1', 'https://n8n.example.org:443/webhook/1/'])(
	'our URL is recognised as %s',
	async (written) => {
		const { api } = platform([{ url: written, event: 'job.ended', disabled_at: 0 }]);
		expect(await reconcile(api, url, ['job.ended'])).toEqual({ 'job.ended': 'w-0' });
	},
);

test.each(['https://n8n.example.org/webhook/12', 'https://n8n.example.org/webhook', 'no URL', ''])(
	'the URL "%s" is not ours, and what belongs to others is left alone',
	async (written) => {
		const { api, deleted } = platform([{ url: written, event: 'job.ended' }, {}]);
		expect(await reconcile(api, url, ['job.ended'])).toEqual({});
		expect(deleted).toEqual([]);
	},
);
