import { emailAndAddressOf } from '../../nodes/EventPlatform/core/people/registration';
import { typingMistakes } from '../../nodes/EventPlatform/core/people/typingMistakes';
import { planRun } from '../../nodes/EventPlatform/core/registration/bulkPlan';
import { planSync } from '../../nodes/EventPlatform/core/sync/plan';
import { namesIn, readRegistered } from '../../nodes/EventPlatform/core/sync/registered';

/*
 * What takes time that grows with its input, and not with the square of it. The bounds leave room for twice the time, because on a
 * busy machine the larger input suffers more.
 */

/** The processor time of one call, in microseconds. A busy machine only adds to it: the least of five is the nearest to the truth. */
async function leastUsed(call: () => unknown): Promise<number> {
	const used = async () => {
		const before = process.cpuUsage();
		await call();
		return process.cpuUsage(before).user;
	};
	return Math.min(await used(), await used(), await used(), await used(), await used());
}

const yieldIfDue = () => Promise.resolve();

test('a doubt about each row of a list', async () => {
	const planOf = (count: number) => {
		const numbers = Array.from({ length: count }, (_, index) => index);
		const attributes = { status: 'upcoming' };
		const record = { type: 'sessions', id: 's', attributes };
		const session = { id: 's', name: "'Demo'", session: record };
		const reading = { session, asked: namesIn([]) };
		const time = { nowMs: Date.now(), endsAtMs: Date.now() };
		const people = numbers.map((number) =>
			readRegistered(
				{
					id: `id ${number}`,
					type: 'people',
					attributes: { email: `p${number}@example.com`, role: 'participant' },
				},
				reading,
			),
		);
		const rows = numbers.map(() => ({
			sessionId: 's',
			...emailAndAddressOf('nobody'),
			problems: ['x'],
			registration: { fields: [{ id: 'email', value: 'nobody' }], tracking: {} },
		}));
		const sessions = new Map([['s', { ...session, people }]]);
		const rules = { mayRemoveOthers: true, mostRemovals: count };
		return () => planSync(planRun(rows).candidates, sessions, rules, { time, yieldIfDue });
	};
	// 16 times as many take 17 times as long. With the square it would be 256 times.
	expect((await leastUsed(planOf(24_000))) / (await leastUsed(planOf(1_500)))).toBeLessThan(60);
});

test('typing mistakes of many addresses for many others, alike or not', async () => {
	const letters = 'abcdefghijklmnopqrst';
	const namesOf = (count: number) =>
		Array.from({ length: count }, (_, index) =>
			[1, 20, 400, 8_000].map((step) => letters.charAt(Math.floor(index / step) % 20)).join(''),
		);
	const compare = (count: number) => {
		const names = namesOf(count);
		const addresses = (beginning: string) => names.map((name) => `${beginning}${name}@example.com`);
		const [alike, different, mistaken] = ['smith', 'grace', 'smiht'].map(addresses);
		return async () => {
			expect(await typingMistakes(alike ?? [], different ?? [], yieldIfDue)).toEqual([]);
			expect(await typingMistakes(alike ?? [], mistaken ?? [], yieldIfDue)).toHaveLength(count);
		};
	};
	// 16 times as many take 35 times as long. With the square it would be 256 times.
	expect((await leastUsed(compare(16_000))) / (await leastUsed(compare(1_000)))).toBeLessThan(100);
});
