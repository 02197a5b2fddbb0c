import { sandboxForTests, until } from '../support/sandbox';
import type { SandboxOptions } from '../../sandbox/options';
import { receiver, register, subscribe } from './webhookSubscriber';

/** The addresses of those whose registration was delivered, in the order of arrival. */
async function delivered(traits: Partial<SandboxOptions>, people = 20, enough = people) {
	const sandbox = await sandboxForTests(traits);
	const { url, deliveries } = await receiver();
	await subscribe(sandbox, url, 'people.registered');
	for (let index = 0; index < people; index++) await register(sandbox, `p${index}@example.org`);
	await until(() => deliveries.length >= enough);
	const emails = deliveries.map(({ body }) => {
		const { data } = body as { data: { attributes: { email: string } } };
		return Number(data.attributes.email.slice(1).split('@')[0]);
	});
	return { sandbox, emails };
}

test('a share of the deliveries is never sent, the same ones for the same seed', async () => {
	const traits = { droppedDeliveries: 0.5, drawSeed: 7 };
	const first = await delivered(traits, 20, 5);
	const second = await delivered(traits, 20, 5);
	const seen = async ({ sandbox }: typeof first) => {
		const { data } = await sandbox.web.get<Array<{ body: unknown }>>('/_sandbox/deliveries');
		return data.map(({ body }) => /p\d+@/.exec(JSON.stringify(body))?.[0]);
	};
	const sent = await seen(first);
	expect(sent.length).toBeGreaterThan(4);
	expect(sent.length).toBeLessThan(16);
	expect(await seen(second)).toEqual(sent);
	const other = await delivered({ ...traits, drawSeed: 8 }, 20, 5);
	expect(await seen(other)).not.toEqual(sent);
});

test('all deliveries doubled: everything comes twice', async () => {
	const { emails } = await delivered({ doubledDeliveries: 1 }, 10, 20);
	for (let person = 0; person < 10; person++) {
		expect(emails.filter((one) => one === person)).toHaveLength(2);
	}
});

test('late deliveries come, later than they were due', async () => {
	const { sandbox } = await delivered({ lateDeliveries: 1, lateMs: 150 }, 3);
	const { data } =
		await sandbox.web.get<Array<{ createdAt: number; attempts: Array<{ time: number }> }>>(
			'/_sandbox/deliveries',
		);
	for (const { createdAt, attempts } of data) {
		expect((attempts[0]?.time ?? 0) - createdAt).toBeGreaterThanOrEqual(150);
	}
});

test('unordered deliveries all come, some of them after one that happened later', async () => {
	const { emails } = await delivered({ unorderedDeliveries: 0.4 }, 20);
	expect(emails.toSorted((one, other) => one - other)).toEqual([...Array(20).keys()]);
	expect(emails).not.toEqual([...Array(20).keys()]);
});
