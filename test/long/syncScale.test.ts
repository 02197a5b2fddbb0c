import { crowd, emailsOf, registered, statusesOf, sync, writes } from '../support/runs/bulkScene';
import { killedWhen } from '../support/runs/killedRun';
import { sandboxForTests } from '../support/platform/sandbox';

const patience = 180_000;

test(
	'200 changes among 10,000 people cost one request for the session, the pages of the list, two requests for fifty additions, one for each other change, and the session again before the removals',
	async () => {
		// Eight of ten seeded people are in the session.
		const sandbox = await sandboxForTests({ rate: 1_000, seedPeople: 12_500 });
		const there = await registered(sandbox);
		expect(there).toHaveLength(10_000);
		const fields = {
			mappingMode: 'defineBelow',
			value: { email: '={{ $json.email }}', last_name: '={{ $json.name }}' },
		};
		const list = [
			...there.slice(50).map((email, index) => ({ email, name: index < 50 ? 'Changed' : '' })),
			...crowd(100).map(({ email }) => ({ email, name: 'New' })),
		];
		const before = (await sandbox.requests()).length;
		const { items, hints } = await sync(
			sandbox,
			list,
			{ removeOthers: true },
			{ parameters: { fields } },
		);
		expect(statusesOf(items)).toEqual({ added: 100, updated: 50, unchanged: 9_900, removed: 50 });
		expect(await writes(sandbox, before)).toHaveLength(2 + 50 + 50);
		expect((await sandbox.requests()).length - before).toBe(1 + 200 + 2 * 2 + 50 + 1 + 50);
		expect(hints[0]?.message).toMatch(/, 306 requests, \d+ s$/);

		const then = (await sandbox.requests()).length;
		const again = await sync(sandbox, list, { removeOthers: true }, { parameters: { fields } });
		expect(statusesOf(again.items)).toEqual({ unchanged: 10_050 });
		expect(await writes(sandbox, then)).toEqual([]);
		expect((await sandbox.requests()).length - then).toBe(202);
	},
	patience,
);

test.each([
	['people are added', 'registerInBulk', 3],
	['answers are changed', 'updateSessionPerson', 8],
	['people are removed', 'deleteSessionPerson', 8],
])(
	'a run that is killed while %s ends in the same state when it is repeated',
	async (_, operation, count) => {
		const sandbox = await sandboxForTests({ rate: 20, taskMs: 5, seedPeople: 40 });
		const people = crowd(150);
		const registeredBefore = await registered(sandbox);
		await sync(
			{ ...sandbox },
			crowd(30).map((person) => ({ ...person, first_name: 'Old' })),
		);
		const before = (await sandbox.requests()).length;
		const seen = async () =>
			(await sandbox.requests())
				.slice(before)
				.filter(({ operationId }) => operationId === operation);
		const options = { removeOthers: true, mostRemovals: 1_000 };
		const parameters = { operation: 'sync', options };
		await killedWhen(
			sandbox,
			people.length,
			async () => (await seen()).length >= count,
			parameters,
		);

		const between = await registered(sandbox);
		expect(between).not.toEqual(emailsOf(people));
		const { items, error } = await sync(sandbox, people, options);
		expect(error).toBeUndefined();
		expect(await registered(sandbox)).toEqual(emailsOf(people));
		const { unchanged = 0, removed = 0 } = statusesOf(items);
		expect(unchanged).toBeGreaterThan(0);
		expect(removed).toBeLessThanOrEqual(registeredBefore.length);

		const then = (await sandbox.requests()).length;
		const again = await sync(sandbox, people, options);
		expect(statusesOf(again.items)).toEqual({ unchanged: people.length });
		expect(await writes(sandbox, then)).toEqual([]);
	},
	patience,
);
