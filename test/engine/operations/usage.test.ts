import { text } from '../../../nodes/EventPlatform/core/values/text';
import { startPlatform } from '../../support/n8n/startPlatform';
import { tokenCredential } from '../../support/n8n/engineConsent';
import { credentials } from '../../support/n8n/engineCredentials';
import { sandboxForTests } from '../../support/platform/sandbox';
import { operate } from '../../support/n8n/operation';
import { dayMs } from '../../support/time/units';

const ask = 'account.getUsage';

test('the limits are told as the platform tells them, for one request', async () => {
	const sandbox = await sandboxForTests({ rate: 5, monthly: 1_000 });
	await sandbox.api.get('/ping');
	const { records, sent } = await operate(sandbox, ask);
	expect(records).toEqual([
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
	expect(sent).toHaveLength(1);
});

test.each([
	[
		'nothing',
		{},
		[expect.stringMatching(/^The platform does not say how many requests it allows/)],
	],
	['the second alone', { 'RateLimit-Interval-Limit': '5' }, []],
	['the month alone', { 'RateLimit-Monthly-Remaining': '9' }, []],
])(
	'where the platform tells %s of its limits, a hint says what is unknown',
	async (_, headers, told) => {
		const platform = await startPlatform((response) => response.writeHead(200, headers).end());
		const { hints } = await operate(platform, ask);
		expect(hints).toEqual(told);
	},
);

test('a month that is used up is an answer, with the time at which it returns', async () => {
	const sandbox = await sandboxForTests({ rate: 5, monthly: 1 });
	await sandbox.api.get('/ping');
	const [usage] = (await operate(sandbox, ask)).records;
	expect(usage).toMatchObject({ remaining: 0, lasts_until: null });
	const returnsAt = usage?.returns_at;
	expect(returnsAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)$/);
	expect(daysUntil(returnsAt)).toBe(30);
});

test('a month that was used up and is back is noticed by Ping at once, and by the others then', async () => {
	const sandbox = await sandboxForTests({ rate: 0 });
	const spend = (monthSpent: boolean) => sandbox.web.post('/_sandbox/workspace', { monthSpent });
	// One credential has one memory of the month.
	const credential = credentials.add(tokenCredential(sandbox));
	const run = (name: string) => operate(sandbox, name, {}, { credential });
	await spend(true);
	expect((await run('event.getAll')).sent).toHaveLength(1);
	await spend(false);
	const refused = await run('event.getAll');
	expect(refused.sent).toEqual([]);
	expect(refused.error?.message).toBe("The month's requests to the platform are used up (429)");
	expect((await run('account.ping')).records).toEqual([{ ok: true }]);
	expect((await run('event.getAll')).error).toBeUndefined();
});

/** Twenty days before the month returns. */
async function usageWith(limit: number, remaining: number) {
	const platform = await startPlatform((response) =>
		response
			.setHeader('RateLimit-Monthly-Limit', limit)
			.setHeader('RateLimit-Monthly-Remaining', remaining)
			.setHeader('RateLimit-Reset', Math.floor((Date.now() + 20 * dayMs) / 1_000))
			.end(),
	);
	const { records } = await operate(platform, ask);
	return records[0] ?? {};
}

test('a platform that says when the month ends lets it be known until when the rest lasts', async () => {
	// A third of the month is over and 4,000 of 10,000 are used: 400 a day, so 15 days more.
	const usage = await usageWith(10_000, 6_000);
	expect(usage).toMatchObject({ used_this_month: 4_000, remaining: 6_000, used_per_day: 400 });
	const dates = ['measured_since', 'returns_at', 'lasts_until'];
	expect(dates.map((name) => daysUntil(usage[name]))).toEqual([-10, 20, 15]);
});

test('a plan that nobody can use up has an answer, too', async () => {
	const usage = await usageWith(9_999_999_999, 9_999_999_990);
	expect(usage).toMatchObject({ used_per_day: 1, lasts_until: null });
});

function daysUntil(date: unknown): number {
	return Math.round((Date.parse(text(date)) - Date.now()) / dayMs);
}
