import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { text } from '../../../nodes/EventPlatform/core/http/text';
import { anyServer } from '../../support/anyServer';
import { runWorkflow, tokenCredential } from '../../support/engine';
import { sandboxForTests } from '../../support/sandbox';

const node = new EventPlatform();
const day = 24 * 3_600_000;

test('the limits are told as the platform tells them, for one request', async () => {
	const sandbox = await sandboxForTests({ rate: 5, monthly: 1_000 });
	await sandbox.api.get('/ping');
	const { items } = await usageOf(sandbox);
	expect(items).toEqual([
		{
			per_second: 5,
			per_month: 1_000,
			used_this_month: 2,
			remaining: 998,
			returns_at: null,
			used_per_day: null,
			measured_since: null,
			lasts_until: null,
		},
	]);
	expect(await sandbox.requests()).toHaveLength(2);
});

test('a month that is used up is an answer, with the time at which it returns', async () => {
	const sandbox = await sandboxForTests({ rate: 5, monthly: 1 });
	await sandbox.api.get('/ping');
	const { items, error } = await usageOf(sandbox);
	expect(error).toBeUndefined();
	expect(items).toMatchObject([{ remaining: 0, lasts_until: null }]);
	const [{ returns_at: returnsAt } = {}] = items;
	expect(returnsAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)$/);
	const left = Date.parse(text(returnsAt)) - Date.now();
	expect(Math.round(left / day)).toBe(30);
});

test('a platform that says when the month ends lets it be known until when the rest lasts', async () => {
	// A third of the month is over and 4,000 of 10,000 are used: 400 a day, so 15 days more.
	const { baseUrl } = await anyServer((response) =>
		response
			.setHeader('RateLimit-Monthly-Limit', 10_000)
			.setHeader('RateLimit-Monthly-Remaining', 6_000)
			.setHeader('RateLimit-Reset', Math.floor((Date.now() + 20 * day) / 1_000))
			.end(),
	);
	const { items } = await usageOf({ baseUrl, apiToken: 'token' });
	const [usage = {}] = items;
	expect(usage).toMatchObject({ used_this_month: 4_000, remaining: 6_000, used_per_day: 400 });
	const days = (name: string) => Math.round((Date.parse(text(usage[name])) - Date.now()) / day);
	expect(['measured_since', 'returns_at', 'lasts_until'].map(days)).toEqual([-10, 20, 15]);
});

async function usageOf(access: { baseUrl: string; apiToken: string }) {
	const { items, error } = await runWorkflow({
		node,
		credential: tokenCredential(access),
		parameters: { resource: 'account', operation: 'getUsage' },
	});
	return { items: items.map(({ json }) => json), error };
}
