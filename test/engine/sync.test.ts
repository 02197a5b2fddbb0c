import type { IDataObject } from 'n8n-workflow';
import { seededId } from '../../sandbox/seed/ids';
import { crowd, inSession, registered, statusesOf } from '../support/bulk';
import { requestProblems } from '../support/contract';
import {
	bulkOfTasks,
	sandboxForTests,
	upcomingSession,
	type TestSandbox,
} from '../support/sandbox';
import { sync, writes } from '../support/sync';

jest.setTimeout(60_000);

/** It has a member of the team among its people. */
const heldSession = seededId('session', 5);
let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await sandboxForTests({ rate: 1_000 });
});
beforeEach(() => sandbox.reset());

/** Registers people as another client does. */
async function before(people: IDataObject[], session = upcomingSession): Promise<void> {
	const tasks = people.map((person) => ({
		fields: Object.entries(person).map(([id, value]) => ({ id, value })),
	}));
	const path = `/sessions/${session}/people/bulk`;
	const { data } = await sandbox.api.post<{ id: string }>(path, bulkOfTasks(tasks));
	await sandbox.jobEnd(data.id);
}

test('registrants become those of the list: added, updated, unchanged, removed, and what went wrong', async () => {
	await before([
		{ email: 'stays@example.com', first_name: 'Stays' },
		{ email: 'Changes@example.com', first_name: 'Old', last_name: 'Kept' },
		{ email: 'goes@example.com', first_name: 'Goes' },
	]);
	const list = [
		{ email: 'new@example.com', first_name: 'New' },
		{ email: 'STAYS@example.com', first_name: 'Stays ' },
		{ email: 'changes@example.com', first_name: 'Now' },
		{ email: 'Changes@Example.com', first_name: 'Later' },
		{},
		{ email: 'dotless@example', first_name: 'Nobody' },
	];
	const { items, error, hints } = await sync(sandbox, list, { removeOthers: true });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => [json.email, json.status])).toEqual([
		['new@example.com', 'added'],
		['STAYS@example.com', 'unchanged'],
		['changes@example.com', 'updated'],
		['Changes@Example.com', 'duplicate'],
		[null, 'invalid'],
		['dotless@example', 'failed'],
		['goes@example.com', 'removed'],
	]);
	expect(items[2]?.json).toMatchObject({
		session_id: upcomingSession,
		job_id: null,
		changes: [{ field: 'first_name', old: 'Old', new: 'Now' }],
		person: { fields: { first_name: 'Now', last_name: 'Kept' } },
		errors: [],
	});
	expect(items[0]?.json).toMatchObject({
		job_id: expect.any(String) as string,
		changes: [],
		person: { email: 'new@example.com' },
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 2, 3, 4, 5, 0].map((item) => ({ item })),
	);
	expect(await registered(sandbox)).toEqual([
		'Changes@example.com',
		'new@example.com',
		'stays@example.com',
	]);
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(
			/^1 added, 1 updated, 1 unchanged, 1 removed, 1 failed, 1 invalid, 1 duplicate, 5 requests, \d+ s$/,
		),
	]);
	expect(JSON.stringify(items)).not.toMatch(/connection_link|password_key/);
});

test('its requests are those of the contract, and a second run writes nothing', async () => {
	await before([{ email: 'p1@example.com', first_name: 'Old' }, { email: 'x@example.com' }]);
	const people = crowd(60);
	const since = (await sandbox.requests()).length;
	await sync(sandbox, people, { removeOthers: true });
	expect((await writes(sandbox, since)).sort()).toEqual([
		'DELETE deleteSessionPerson',
		'PATCH updateSessionPerson',
		'POST registerInBulk',
		'POST registerInBulk',
	]);
	const sent = (await sandbox.requests()).slice(since);
	expect(sent.filter(({ path }) => path.startsWith('/v1/')).flatMap(requestProblems)).toEqual([]);
	const then = (await sandbox.requests()).length;
	const again = await sync(sandbox, people, { removeOthers: true });
	expect(statusesOf(again.items)).toEqual({ unchanged: 60 });
	expect(await writes(sandbox, then)).toEqual([]);
});

test('others stay unless they are to be removed, and team members do in any case', async () => {
	const parameters = { sessionId: inSession(heldSession) };
	const everyone = await registered(sandbox, heldSession);
	const team = 'ines.gray@example.org';
	const [guest = ''] = everyone.filter((email) => email !== team);
	expect(everyone.length).toBeGreaterThan(2);
	await sync(sandbox, [{ email: guest }], {}, { parameters });
	expect(await registered(sandbox, heldSession)).toEqual(everyone);

	const list = [{ email: guest }, { email: team, first_name: 'Renamed' }];
	const since = (await sandbox.requests()).length;
	const { items } = await sync(sandbox, list, { removeOthers: true }, { parameters });
	expect(statusesOf(items)).toEqual({ unchanged: 2, removed: everyone.length - 2 });
	expect(await registered(sandbox, heldSession)).toEqual([guest, team].sort());
	expect(new Set(await writes(sandbox, since))).toEqual(new Set(['DELETE deleteSessionPerson']));

	const alone = await sync(sandbox, [{ email: guest }], { removeOthers: true }, { parameters });
	expect(statusesOf(alone.items)).toEqual({ unchanged: 1 });
	expect(await registered(sandbox, heldSession)).toContain(team);
});

test('whoever stands on the list stays, even in a row that is not sent', async () => {
	await before([{ email: 'wrong@example.com' }, { email: 'goes@example.com' }]);
	const fields = {
		mappingMode: 'defineBelow',
		value: { email: '={{ $json.email }}', company: '={{ $json.company }}' },
	};
	const list = [{ email: 'WRONG@example.com', company: { name: 'Acme' } }, ...crowd(1)];
	const { items } = await sync(sandbox, list, { removeOthers: true }, { parameters: { fields } });
	expect(statusesOf(items)).toEqual({ invalid: 1, added: 1, removed: 1 });
	expect(await registered(sandbox)).toEqual(['p0@example.com', 'wrong@example.com']);
});

test('only what is mapped is compared and sent', async () => {
	await before([{ email: 'p0@example.com', first_name: 'Old', company: 'Acme' }]);
	const since = (await sandbox.requests()).length;
	await sync(sandbox, [{ email: 'p0@example.com', first_name: 'New' }]);
	const patch = (await sandbox.requests()).slice(since).find(({ method }) => method === 'PATCH');
	expect(patch?.body).toMatchObject({
		data: { type: 'people', attributes: { fields: [{ id: 'first_name', value: 'New' }] } },
	});
});

test('a dry run gives the plan and its cost, and sends nothing', async () => {
	await before([
		{ email: 'p1@example.com', first_name: 'Old' },
		{ email: 'x@example.com' },
		{ email: 'y@example.com' },
	]);
	const since = (await sandbox.requests()).length;
	const options = { dryRun: true, removeOthers: true };
	const { items, hints } = await sync(sandbox, crowd(60), options);
	expect(statusesOf(items)).toEqual({ added: 59, updated: 1, removed: 2 });
	expect(items[1]?.json).toMatchObject({
		dry_run: true,
		changes: [{ field: 'first_name', old: 'Old', new: 'p 1' }],
	});
	// One page, two requests for each of two jobs, one update, two removals.
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(
			/^Dry run: 59 added, 1 updated, 2 removed. It would take about 8 requests and \d+ s. Nothing was sent\.$/,
		),
	]);
	expect(await writes(sandbox, since)).toEqual([]);
	const planned = (await sandbox.requests()).length - since;
	expect(planned).toBe(1);
	const real = await sync(sandbox, crowd(60), { removeOthers: true });
	expect(statusesOf(real.items)).toEqual({ added: 59, updated: 1, removed: 2 });
	expect((await sandbox.requests()).length - since - planned).toBe(8);
});

test('the counts of the summary add up, session by session', async () => {
	const second = await otherSession();
	await before([{ email: 'x@example.com' }, { email: 'p0@example.com', first_name: 'p 0' }]);
	await before([{ email: 'y@example.com' }], second);
	const list = [
		...crowd(3).map((one) => ({ ...one, session: upcomingSession })),
		{ session: upcomingSession },
		{ email: 'P1@example.com', session: upcomingSession },
		{ email: 'z@example.com', session: second },
		{ email: 'z@example.com', session: '00000000-0000-4000-8000-00000000dead' },
	];
	const parameters = { sessionId: inSession('={{ $json.session }}'), output: 'summary' };
	const { items } = await sync(sandbox, list, { removeOthers: true }, { parameters });
	expect(items.map(({ json }) => json)).toMatchObject([
		{
			session_id: upcomingSession,
			total: 6,
			added: 2,
			updated: 0,
			unchanged: 1,
			removed: 1,
			invalid: 1,
			duplicate: 1,
			requests: 4,
			jobs: [{ total_items: 2, total_success: 2 }],
		},
		{ session_id: second, total: 2, added: 1, removed: 1, requests: 4 },
		{ total: 1, failed: 1, jobs: [], requests: 1 },
	]);
	for (const { json } of items) {
		const { total, requests, seconds, ...counts } = json;
		const numbers = Object.values(counts).filter((value) => typeof value === 'number');
		expect(numbers.reduce((sum, value) => sum + value, 0)).toBe(total);
		expect([requests, seconds]).toEqual([expect.any(Number), expect.any(Number)]);
	}
});

describe('a list that would remove too many', () => {
	beforeEach(() => before(crowd(50, 'old')));

	test('is an error before anything is sent', async () => {
		await before(crowd(20, 'older'));
		const since = (await sandbox.requests()).length;
		const { error, items } = await sync(sandbox, crowd(1), { removeOthers: true });
		expect(error?.message).toBe(
			`The list would remove 70 of 70 people from the session ${upcomingSession}, and at most 50 may be removed. Nothing was sent.`,
		);
		expect(error?.description).toMatch(/'Most Removals'/);
		expect(items).toEqual([]);
		expect(await writes(sandbox, since)).toEqual([]);
	});

	test('is measured by the option, where there is one', async () => {
		const since = (await sandbox.requests()).length;
		const refused = await sync(sandbox, crowd(1), { removeOthers: true, mostRemovals: 49 });
		expect(refused.error?.message).toMatch(/at most 49 may be removed/);
		expect(await writes(sandbox, since)).toEqual([]);
		const { items } = await sync(sandbox, crowd(1), { removeOthers: true, mostRemovals: 50 });
		expect(statusesOf(items)).toEqual({ added: 1, removed: 50 });
	});

	test('is shown by a dry run, with the reason why it would be refused', async () => {
		const options = { removeOthers: true, mostRemovals: 0, dryRun: true };
		const { items, hints, error } = await sync(sandbox, crowd(1), options);
		expect(error).toBeUndefined();
		expect(statusesOf(items)).toEqual({ added: 1, removed: 50 });
		expect(hints.map(({ message }) => message).join()).toMatch(/It would be refused. The list/);
	});

	test('with the error output every person leaves there, and nothing is thrown', async () => {
		const options = { removeOthers: true, mostRemovals: 3 };
		const settings = { onError: 'continueErrorOutput' as const };
		const { outputs, error } = await sync(sandbox, crowd(2), options, { settings });
		expect(error).toBeUndefined();
		expect(outputs[0]).toEqual([]);
		expect(outputs[1]).toHaveLength(52);
		expect(JSON.stringify(outputs[1]?.[0])).toMatch(/would remove 50 of 50/);
	});

	test.each([-1, 1.5, 'many'])('%j removals are refused as a number', async (most) => {
		const { error } = await sync(sandbox, crowd(1), { mostRemovals: most });
		expect(error?.message).toBe("'Most Removals' is not a whole number of 0 or more");
	});
});

test('only people for whom something went wrong are shown, if that is what is wanted', async () => {
	await before([{ email: 'p0@example.com' }]);
	const { items } = await sync(
		sandbox,
		[...crowd(2), { email: 'bad' }],
		{},
		{ parameters: { output: 'failed' } },
	);
	expect(items.map(({ json }) => json.email)).toEqual(['bad']);
});

async function otherSession(): Promise<string> {
	const { data } = await sandbox.api.get<{ data: Array<{ id: string }> }>('/sessions', {
		params: { 'filter[status]': 'upcoming' },
	});
	return data.data.find(({ id }) => id !== upcomingSession)?.id ?? '';
}

describe('when something goes wrong', () => {
	const match = { method: 'PATCH', path: '/v1/sessions/:id/people/:person' };
	const settings = { onError: 'continueErrorOutput' as const };

	test('a change whose answer gets lost is told as it is', async () => {
		await before([{ email: 'p0@example.com' }, { email: 'p1@example.com' }]);
		await sandbox.faults([{ match, do: 'reset-after' }]);
		const { items } = await sync(sandbox, crowd(2));
		expect(statusesOf(items)).toEqual({ updated: 2 });
		expect(items[0]?.json).toMatchObject({ person: { fields: { first_name: 'p 0' } } });
	});

	test('a change that was not made is an outcome of its own, on the error output, and a second run makes it', async () => {
		await before([{ email: 'p0@example.com' }]);
		await sandbox.faults([{ match, do: 'html-502', times: 2 }]);
		const { outputs } = await sync(sandbox, crowd(2), {}, { settings });
		expect(outputs[0]?.map(({ json }) => json.status)).toEqual(['added']);
		expect(outputs[1]?.map(({ json }) => json.error)).toMatchObject([
			{
				message: expect.stringMatching(
					/^p0@example.com was not synced: .* still has the old first_name/,
				) as string,
				status: 'failed',
				changes: [],
			},
		]);
		const again = await sync(sandbox, crowd(2));
		expect(statusesOf(again.items)).toEqual({ updated: 1, unchanged: 1 });
	});

	test('somebody whose removal was made and never answered is removed', async () => {
		await before([{ email: 'x@example.com' }]);
		await sandbox.faults([{ match: { ...match, method: 'DELETE' }, do: 'reset-after' }]);
		const since = (await sandbox.requests()).length;
		const { items } = await sync(sandbox, crowd(1), { removeOthers: true });
		expect(statusesOf(items)).toEqual({ added: 1, removed: 1 });
		const deletes = (await sandbox.requests())
			.slice(since)
			.filter(({ method }) => method === 'DELETE');
		expect(deletes.map(({ status }) => status).at(-1)).toBe(404);
	});

	test('a list that cannot be read is an error, or leaves with everybody, and nothing is sent', async () => {
		const faults = [{ match: { method: 'GET', path: '/v1/*' }, do: '500' as const, times: 50 }];
		await sandbox.faults(faults);
		const stopped = await sync(sandbox, crowd(2), { removeOthers: true });
		expect(stopped.error?.message).toBeTruthy();
		expect(stopped.items).toEqual([]);
		await sandbox.faults(faults);
		const { outputs, error } = await sync(sandbox, crowd(2), { removeOthers: true }, { settings });
		expect(error).toBeUndefined();
		expect([outputs[0]?.length, outputs[1]?.length]).toEqual([0, 2]);
		expect(await writes(sandbox)).toEqual([]);
	});
});
