import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../nodes/EventPlatform/n8n/clock';
import type { ApiResponse, Client } from '../../nodes/EventPlatform/core/client/request';
import { RefusedQueries } from '../../nodes/EventPlatform/core/client/refusedQueries';
import { emailAndAddressOf, type Row } from '../../nodes/EventPlatform/core/people/registration';
import { runSync } from '../../nodes/EventPlatform/core/sync/syncRun';
import type { JsonObject } from '../../nodes/EventPlatform/core/values/json';
import { begunRun } from '../support/runs/begunRun';
import { numberedPeople, emailsOf, statusesOf, sync } from '../support/runs/bulkScene';
import { killedWhen } from './killedRun';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { registered } from '../support/platform/registrants';

describe('200 changes among 10,000 people', () => {
	const count = { people: 10_000, added: 100, updated: 50, removed: 50 };
	const parameters = {
		fields: {
			mappingMode: 'defineBelow',
			value: { email: '={{ $json.email }}', last_name: '={{ $json.name }}' },
		},
	};
	/** The session, and its people in pages of fifty. */
	const reading = 1 + count.people / 50;

	const syncedWith = (sandbox: TestSandbox, list: IDataObject[]) =>
		sync(sandbox, list, { removeOthers: true }, { parameters });

	/** Fifty of the people who are registered are not on the list, and fifty have another name there. */
	async function changedList(): Promise<{ sandbox: TestSandbox; list: IDataObject[] }> {
		// Eight of ten seeded people are in the session.
		const sandbox = await sandboxForTests({ rate: 1_000, seedPeople: 12_500 });
		const there = await registered(sandbox);
		expect(there).toHaveLength(count.people);
		const kept = there.slice(count.removed);
		const list = [
			...kept.map((email, index) => ({ email, name: index < count.updated ? 'Changed' : '' })),
			...numberedPeople(count.added).map(({ email }) => ({ email, name: 'New' })),
		];
		return { sandbox, list };
	}

	test('cost what is read, two requests for fifty additions, one for each other change, and the session again before the removals', async () => {
		const { sandbox, list } = await changedList();
		const run = await syncedWith(sandbox, list);
		const { added, updated, removed } = count;
		const unchanged = count.people - updated - removed;
		expect(statusesOf(run.records)).toEqual({ added, updated, unchanged, removed });
		const jobs = added / 50;
		expect(run.writes).toHaveLength(jobs + updated + removed);
		const requests = reading + 2 * jobs + updated + 1 + removed;
		expect(run.requests).toHaveLength(requests);
		expect(run.hints[0]).toMatch(new RegExp(`, ${requests} requests, \\d+ s$`));
	});

	test('cost nothing but what is read when the list is synced again', async () => {
		const { sandbox, list } = await changedList();
		await syncedWith(sandbox, list);
		const again = await syncedWith(sandbox, list);
		expect(statusesOf(again.records)).toEqual({ unchanged: list.length });
		expect(again.writes).toEqual([]);
		// The people who were added fill one more page than those who were removed have left.
		expect(again.requests).toHaveLength(1 + Math.ceil(list.length / 50));
	});
});

test.each([
	['people are added', 'registerInBulk', 3],
	['answers are changed', 'updateSessionPerson', 8],
	['people are removed', 'deleteSessionPerson', 8],
])(
	'a run that is killed while %s ends in the same state when it is repeated',
	async (_, operation, count) => {
		const sandbox = await sandboxForTests({ rate: 20, taskMs: 5, seedPeople: 40 });
		const people = numberedPeople(150);
		const registeredBefore = await registered(sandbox);
		await sync(
			{ ...sandbox },
			numberedPeople(30).map((person) => ({ ...person, first_name: 'Old' })),
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
		const { records, error } = await sync(sandbox, people, options);
		expect(error).toBeUndefined();
		expect(await registered(sandbox)).toEqual(emailsOf(people));
		const { unchanged = 0, removed = 0 } = statusesOf(records);
		expect(unchanged).toBeGreaterThan(0);
		expect(removed).toBeLessThanOrEqual(registeredBefore.length);

		const again = await sync(sandbox, people, options);
		expect(statusesOf(again.records)).toEqual({ unchanged: people.length });
		expect(again.writes).toEqual([]);
	},
);

describe('at 50,000 rows', () => {
	const count = 50_000;
	const client: Client = {
		async send({ path, query = {} }) {
			await new Promise(setImmediate);
			if (!path.endsWith('/people')) return answer({ data: session });
			const number = Number(query['page[number]']);
			const data = Array.from({ length: 50 }, (_, index) => personNumber(50 * number + index));
			return answer({ data, meta: { current_page: number, page_count: count / 50 } });
		},
		usage: { requests: 0, responses: 0, month: {}, perSecond: 5 },
		refused: new RefusedQueries(Date),
	};

	test.each([
		['the same people, a quarter of them with other answers', 0],
		['other people for half of them', 2],
	])('a dry run with %s does at most a tenth of its work at once', async (_, othersEvery) => {
		const list = Array.from({ length: count }, (_, index): Row => {
			const isOther = othersEvery > 0 && index % othersEvery === 0;
			const email = isOther ? `guest.${index}@example.org` : addressNumber(index);
			const company = index % 4 === 0 ? 'NewCorp' : 'Acme';
			const fields = Object.entries({ email, company }).map(([id, value]) => ({ id, value }));
			const registration = { fields, tracking: {} };
			return { sessionId: 's', ...emailAndAddressOf(email), registration, problems: [] };
		});
		const options = { mayRemoveOthers: true, mostRemovals: count, isDryRun: true };
		const run = () => runSync(list, begunRun(client, clock), { ...options, maxWaitSeconds: 900 });
		// What else the process does at times, as collecting garbage, can only add to a share. Without its pauses the plan does an eighth to a third at once.
		let share = 1;
		for (let tries = 0; tries < 3 && share >= 0.1; tries++) share = await shareAtOnce(run);
		expect(share).toBeLessThan(0.1);
	});
});

const session = { id: 's', type: 'sessions', attributes: { status: 'upcoming' } };
const addressNumber = (index: number) => `person.${index}@example.com`;

function answer(body: object): ApiResponse {
	return { status: 200, headers: {}, body };
}

function personNumber(index: number): JsonObject {
	const email = addressNumber(index);
	const fields = Object.entries({ email, company: 'Acme' }).map(([id, value]) => ({ id, value }));
	const registrant_detail = { fields, attended: false, has_viewed_replay: false };
	return {
		id: `p${index}`,
		type: 'people',
		attributes: { email, role: 'participant', registrant_detail },
	};
}

/** The part of its processor time that work takes at most before other work has its turn. Time by the clock would be that of the machine's other work, too. */
async function shareAtOnce(work: () => Promise<unknown>): Promise<number> {
	const used = () => process.cpuUsage().user + process.cpuUsage().system;
	const start = used();
	let [latest, most] = [start, 0];
	const turns = setInterval(() => {
		most = Math.max(most, used() - latest);
		latest = used();
	}, 1);
	await work();
	clearInterval(turns);
	return Math.max(most, used() - latest) / (used() - start);
}
