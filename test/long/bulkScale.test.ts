import { bulkRegister, numberedPeople, emailsOf, statusesOf } from '../support/runs/bulkScene';
import { killedWhen } from './killedRun';
import { sandboxForTests } from '../support/platform/sandbox';
import { registered } from '../support/platform/registrants';

test('a run that is killed midway is completed by a second one, with nobody twice and nobody lost', async () => {
	const sandbox = await sandboxForTests({ rate: 5, taskMs: 20 });
	const people = numberedPeople(600);
	await killedWhen(sandbox, people.length, async () => (await sandbox.requests()).length >= 9);
	const before = await registered(sandbox);
	expect(before.length).toBeGreaterThan(0);
	expect(before.length).toBeLessThan(people.length);
	const { records } = await bulkRegister(sandbox, people);
	const { registered: now = 0, already_registered: earlier = 0 } = statusesOf(records);
	expect(now + earlier).toBe(people.length);
	expect(earlier).toBeGreaterThan(0);
	expect(await registered(sandbox)).toEqual(emailsOf(people));
});
