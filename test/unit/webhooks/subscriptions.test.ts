import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { keyDigest } from '../../../nodes/EventPlatform/core/webhooks/proof';
import {
	subscribe,
	unsubscribe,
	type Subscriber,
} from '../../../nodes/EventPlatform/core/webhooks/subscriptions';
import {
	SubscriptionMemory,
	webhooksOf,
	type Subscription,
} from '../../../nodes/EventPlatform/core/webhooks/subscriptionMemory';
import { fakePlatform, pageOf, type FakeAnswers } from '../../support/platform/fakePlatform';

const url = 'https://n8n.example.org/webhook/1';
const key = 'k'.repeat(43);
const keyed = `${url}?key=${key}`;
const clock = { now: Date.now, sleep: () => Promise.resolve() };

/** A trigger on a platform that lists these webhooks and responds to other requests like this. */
function scene(
	listed: Array<{ id: unknown; url: string; event?: string }>,
	answers: FakeAnswers = () => ({}),
) {
	const stored: Subscription[] = [];
	const warnings: string[] = [];
	const subscriber: Subscriber = {
		identity: { url, key, made: [] },
		owner: 'o',
		memory: new SubscriptionMemory(),
		store: (subscription) => stored.push(subscription),
		warn: (text) => warnings.push(text),
	};
	const records = () =>
		listed.map(({ id, ...attributes }) => ({
			id,
			attributes: { event: 'job.ended', ...attributes },
		}));
	const platform = fakePlatform((request, nth) =>
		request.method === 'GET' ? pageOf(records() as never, request.query) : answers(request, nth),
	);
	const run = { client: platform.client, clock };
	const changes = () => platform.asked.filter(({ method }) => method !== 'GET');
	return { run, subscriber, stored, warnings, asked: platform.asked, changes };
}

describe('subscribing', () => {
	test('remembers none that the platform gave no id', async () => {
		const { run, subscriber, stored } = scene([], () => ({ data: { attributes: {} } }));
		await subscribe(run, subscriber, ['job.ended']);
		expect(stored).toMatchObject([{ ids: {} }]);
	});

	test('asks by address and event type, and lets no error show the key', async () => {
		const answer = { data: { id: 7, attributes: {} } };
		const { run, subscriber, stored, changes } = scene([], () => answer);
		await subscribe(run, subscriber, ['job.ended']);
		const body = { data: { type: 'webhooks', attributes: { url: keyed, event: 'job.ended' } } };
		expect(changes()).toEqual([{ method: 'POST', path: '/webhooks', body, secret: key }]);
		expect(stored).toMatchObject([{ url, ids: { 'job.ended': '7' } }]);
	});

	test('finds ours on whatever page it stands', async () => {
		const others = Array.from({ length: 119 }, (_, id) => ({ id, url: 'https://x.example.org' }));
		const { run, subscriber, stored, asked } = scene([...others, { id: 119, url: keyed }]);
		await subscribe(run, subscriber, ['job.ended']);
		expect(stored).toMatchObject([{ ids: { 'job.ended': '119' } }]);
		expect(asked).toHaveLength(3);
	});
});

test('a webhook whose ID the platform writes in capital letters is still the same at the next check', async () => {
	const id = 'AB000000-0000-4000-8000-0000000000EF';
	const listed: Array<{ id: string; url: string }> = [];
	const { run, subscriber, stored } = scene(listed, () => {
		listed.push({ id, url: keyed });
		return { data: { id } };
	});
	await subscribe(run, subscriber, ['job.ended']);
	const [first] = stored;
	subscriber.identity.made = webhooksOf(first);
	subscriber.ongoing = first;
	await subscribe(run, subscriber, ['job.ended']);
	expect(stored.at(-1)).toMatchObject({ ids: first?.ids, missed: undefined });
});

describe('subscribing where a webhook that is not needed any more cannot be removed', () => {
	const unwanted: Array<Cause> = ['forbidden', 'platform_error'];

	test.each(unwanted)('makes those that are wanted, and says so: %s', async (refusal) => {
		const listed = [{ id: 'a', url: keyed }];
		const { run, subscriber, stored, changes, warnings } = scene(listed, ({ method }) =>
			method === 'DELETE' ? refusal : { data: { id: 'b' } },
		);
		await subscribe(run, subscriber, ['session.ended']);
		expect(changes().map(({ method }) => method)).toEqual(['DELETE', 'POST']);
		expect(stored).toMatchObject([{ ids: { 'session.ended': 'b' } }]);
		expect(warnings).toEqual([expect.stringContaining('tries again later')]);
	});

	test('removes it the next time, also where the platform shows no key', async () => {
		const made = { url, keyDigest: keyDigest(key) };
		let isRefused = true;
		const listed = [{ id: 'a', url, event: 'job.ended' }];
		const { run, subscriber, stored, changes } = scene(listed, ({ method }) => {
			if (method === 'DELETE') return isRefused ? 'forbidden' : {};
			return { data: { id: 'b' } };
		});
		subscriber.identity.made = [{ id: 'a', ...made }];
		await subscribe(run, subscriber, ['session.ended']);
		const [first] = stored;
		subscriber.identity.made = webhooksOf(first);
		subscriber.ongoing = first;
		listed.push({ id: 'b', url, event: 'session.ended' });
		isRefused = false;
		await subscribe(run, subscriber, ['session.ended']);
		const removed = changes().filter(({ method }) => method === 'DELETE');
		expect(removed.map(({ path }) => path)).toEqual(['/webhooks/a', '/webhooks/a']);
		expect(webhooksOf(stored.at(-1)).map(({ id }) => id)).toEqual(['b']);
	});
});

describe('unsubscribing', () => {
	const two = [
		{ id: 'a', url: keyed },
		{ id: 'b', url: keyed },
	];

	test('takes one that is gone already for removed', async () => {
		const { run, subscriber, stored, changes } = scene(two, () => 'not_found');
		await unsubscribe(run, subscriber);
		expect(changes()).toEqual(
			['a', 'b'].map((id) => ({ method: 'DELETE', retry: 'idempotent', path: `/webhooks/${id}` })),
		);
		expect(stored).toEqual([undefined]);
	});

	test('removes the others where one cannot be removed, and forgets none', async () => {
		const isFirst: FakeAnswers = ({ path }) => (path.endsWith('a') ? 'missing_scope' : {});
		const { run, subscriber, stored, changes } = scene(two, isFirst);
		await expect(unsubscribe(run, subscriber)).rejects.toThrow('missing');
		expect(changes()).toHaveLength(2);
		expect(stored).toEqual([]);
	});
});
