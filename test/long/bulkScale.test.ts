import { bulkRegister, crowd, emailsOf, registered, statusesOf } from '../support/bulk';
import { killedWhen } from '../support/killed';
import { sandboxForTests } from '../support/sandbox';

const patience = 120_000;

test(
	'a run that is killed midway is completed by a second one, with nobody twice and nobody lost',
	async () => {
		const sandbox = await sandboxForTests({ rate: 5, taskMs: 20 });
		const people = crowd(600);
		await killedWhen(sandbox, people.length, async () => (await sandbox.requests()).length >= 9);
		const before = await registered(sandbox);
		expect(before.length).toBeGreaterThan(0);
		expect(before.length).toBeLessThan(people.length);
		const { items } = await bulkRegister(sandbox, people);
		const { registered: now = 0, already_registered: earlier = 0 } = statusesOf(items);
		expect(now + earlier).toBe(people.length);
		expect(earlier).toBeGreaterThan(0);
		const after = await registered(sandbox);
		expect(after).toEqual(emailsOf(people));
	},
	patience,
);

test(
	'ten thousand people go through the engine of n8n, in two requests for every fifty',
	async () => {
		const sandbox = await sandboxForTests({ rate: 1_000, taskMs: 1 });
		const people = crowd(10_000);
		const { items, hints } = await bulkRegister(sandbox, people);
		expect(statusesOf(items)).toEqual({ registered: people.length });
		expect(items.map(({ json }) => json.email)).toEqual(people.map(({ email }) => email));
		const requests = (await sandbox.requests()).length;
		expect(requests).toBeLessThanOrEqual(1.05 * 2 * (people.length / 50));
		expect(hints[0]?.message).toMatch(/^10,000 registered, \d+ requests, \d+ s$/);
		expect((await registered(sandbox)).length).toBe(people.length);
	},
	patience,
);
