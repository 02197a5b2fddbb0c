import '../../support/time/fasterClock';
import type { RunScene } from '../../support/n8n/engine';
import { usuallyAtOnce } from '../../../nodes/EventPlatform/core/client/concurrently';
import { sandboxForTests, sandboxOfFile } from '../../support/platform/sandbox';
import { makeEvent, makeSession } from '../../support/platform/platformRecords';
import { mapped, operate } from '../../support/n8n/operation';
import { tokenCredential } from '../../support/n8n/engineConsent';
import { byId } from '../../support/n8n/locators';
import { unknownId, upcomingSession } from '../../support/platform/seededIds';

const sandbox = sandboxOfFile();

const run = (name: string, parameters: object, scene?: Partial<RunScene>) =>
	operate(sandbox, name, parameters, scene);
const ofItem = { eventId: byId() };

test('nothing in, nothing out, nothing sent', async () => {
	const { items, error, sent } = await run('event.get', ofItem, { items: [] });
	expect([items, error, sent]).toEqual([[], undefined, []]);
});

test('a failed item leaves by the error branch with what came in and what went wrong', async () => {
	const id = await makeEvent(sandbox);
	const items = [id, unknownId, id].map((eventId, row) => ({ id: eventId, row }));
	const settings = { onError: 'continueErrorOutput' } as const;
	const { outputs } = await run('event.get', ofItem, { items, settings });
	expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
	expect(outputs[1]).toEqual([
		{
			json: {
				id: unknownId,
				row: 1,
				error: 'The platform cannot find the event (404)',
				message: expect.stringContaining('Check the ID') as string,
			},
			pairedItem: { item: 1 },
		},
	]);
});

test('what every item would be refused for costs one request', async () => {
	const credential = tokenCredential({ ...sandbox, apiToken: 'that of somebody else' });
	const ids = Array.from({ length: 5 }, () => ({ id: unknownId }));
	const settings = { onError: 'continueErrorOutput' } as const;
	const { outputs, sent } = await run('event.delete', ofItem, { credential, items: ids, settings });
	const errors = ids.map((_, item) => [item, 'The platform did not accept the credential (401)']);
	expect(outputs[1]?.map(({ json, pairedItem }) => [pairedItem, json.error])).toEqual(
		errors.map(([item, error]) => [{ item }, error]),
	);
	expect(sent).toHaveLength(1);
	const unsent = outputs[1]?.filter(({ json }) => /^Not sent: /.test(json.message as string));
	expect(unsent?.map(({ pairedItem }) => pairedItem)).toEqual(
		[1, 2, 3, 4].map((item) => ({ item })),
	);
});

describe('an outage', () => {
	const items = Array.from({ length: 100 }, (_, nth) => ({ email: `p${nth}@example.com` }));
	const fields = mapped(null);
	const parameters = { sessionId: byId(upcomingSession), fields };
	const settings = { onError: 'continueErrorOutput' } as const;
	const registerIn = async (times: number) => {
		const quick = await sandboxForTests({ rate: 1_000 });
		await quick.faults([{ match: { path: '/v1/*' }, do: '500', times }]);
		return operate(quick, 'registration.register', parameters, { items, settings });
	};

	test('that does not end costs no requests for most of the items, which say why', async () => {
		const { outputs, requests } = await registerIn(10_000);
		expect(outputs[1]).toHaveLength(100);
		const unsent = outputs[1]?.filter(({ json }) => /^Not sent: /.test(json.message as string));
		expect(unsent?.length).toBeGreaterThanOrEqual(100 - 6 * usuallyAtOnce);
		expect(requests.length).toBeLessThanOrEqual(6 * usuallyAtOnce * 4);
	});

	test('that ends after a few items keeps none of the others back', async () => {
		// The items ask for the form together, twice, with four attempts each.
		const { outputs } = await registerIn(2 * 4);
		expect(outputs[1]?.length).toBeLessThanOrEqual(2 * usuallyAtOnce);
		expect(outputs[0]?.length).toBeGreaterThanOrEqual(100 - 2 * usuallyAtOnce);
	});
});

describe('an error of the whole run', () => {
	const people = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
	const registering = { sessionId: unknownId, fields: mapped({ email: '={{ $json.email }}' }) };
	const runBroken = (name: string, parameters: object, onError: string) => {
		const credential = tokenCredential({ ...sandbox, baseUrl: 'platform' });
		const settings = { onError } as { onError: 'continueErrorOutput' };
		return run(name, parameters, { credential, items: people, settings });
	};

	test.each([
		['event.get', ofItem],
		['registration.register', registering],
		['registration.bulkRegister', registering],
		['event.explode', {}],
		['event.toString', {}],
	])('leaves with every item by the error branch: %s', async (name, parameters) => {
		const { outputs, error } = await runBroken(name, parameters, 'continueErrorOutput');
		expect(error).toBeUndefined();
		expect(outputs[0]).toEqual([]);
		expect(outputs[1]?.map(({ json, pairedItem }) => [json.email, pairedItem])).toEqual([
			['a@example.com', { item: 0 }],
			['b@example.com', { item: 1 }],
		]);
		for (const { json } of outputs[1] ?? []) expect(json.error).toMatch(/\w+ \w+ \w+/);
	});

	test('is one error item for each item that came in, where there is no error branch', async () => {
		const scene = ['registration.bulkRegister', registering, 'continueRegularOutput'] as const;
		const { items, error } = await runBroken(...scene);
		expect(error).toBeUndefined();
		const json = { error: expect.stringContaining("'Base URL'") as string };
		expect(items).toEqual(people.map((_, item) => ({ json, pairedItem: { item } })));
	});
});

test('reads overlap, so that a slow platform does not slow the pace, and come out in order', async () => {
	const slow = await sandboxForTests({ latencyMs: 1_000 });
	const ids = [await makeEvent(slow), await makeEvent(slow)];
	const items = [0, 1, 0, 1, 0, 1].map((index) => ({ id: ids[index] ?? '' }));
	const { records, requests } = await operate(slow, 'event.get', ofItem, { items });
	expect(records.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
	// The first one finds out whether others use the token; the rest need not wait for each other.
	const [, second, third] = requests;
	expect(third?.time).toBeLessThan((second?.time ?? 0) + (second?.durationMs ?? 0));
});

test('writes do not overlap: the last change is the last item’s', async () => {
	const id = await makeEvent(sandbox);
	const items = Array.from({ length: 6 }, (_, index) => ({ id, title: `Version ${index}` }));
	const updateFields = { title: '={{ $json.title }}' };
	const { records } = await run('event.update', { ...ofItem, updateFields }, { items });
	expect(records.map(({ title }) => title)).toEqual(items.map(({ title }) => title));
	const now = await run('event.get', { eventId: byId(id) });
	expect(now.records).toMatchObject([{ title: 'Version 5' }]);
});

describe('a change is sent once more', () => {
	const eventTitle = { updateFields: { title: 'Renamed' } };
	const sessionName = { updateFields: { name: 'Renamed' } };

	test.each([
		['event.update', 'its answer is lost', eventTitle, 'reset-after'],
		['session.update', 'its answer is lost', sessionName, 'reset-after'],
		['event.update', 'the platform fails', eventTitle, 'html-502'],
		['session.update', 'the platform fails', sessionName, 'html-502'],
	] as const)('by %s where %s', async (name, _, parameters, fault) => {
		const eventId = await makeEvent(sandbox);
		const [path, record] = name.startsWith('event')
			? ['events', eventId]
			: ['sessions', await makeSession(sandbox, eventId)];
		const match = { method: 'PATCH', path: `/v1/${path}/:id` };
		await sandbox.faults([{ match, do: fault }]);
		const ids = { eventId: byId(record), sessionId: byId(record) };
		const { error, records, sent } = await run(name, { ...ids, ...parameters });
		expect(error).toBeUndefined();
		expect(records).toMatchObject([{ id: record }]);
		const patch = `PATCH /${path}/${record}`;
		expect(sent).toEqual([patch, patch]);
	});
});

test('the start of a session is moved in the time zone of the session, asked for only when needed', async () => {
	const sessionId = byId(await makeSession(sandbox));
	const update = (estimatedStartedAt: string) =>
		run('session.update', { sessionId, updateFields: { estimatedStartedAt } });
	const moved = await update('2027-03-02T12:00:00Z');
	expect(moved.records[0]?.estimated_started_at).toBe('2027-03-02T07:00:00-05:00');
	expect(moved.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);

	const again = await update('2027-03-03T13:00:00');
	expect(again.records[0]?.estimated_started_at).toBe('2027-03-03T07:00:00-05:00');
	expect(again.requests.map(({ method }) => method)).toEqual(['PATCH']);
});

describe('waiting for a job', () => {
	test('gives the job as it is when the time is over, or fails with its ID', async () => {
		const { slow, jobId } = await endlessJob();
		const wait = (onTimeout: string) =>
			operate(slow, 'job.wait', { jobId, options: { maxWaitSeconds: 1, onTimeout } });
		const seen = { id: jobId, status: 'processing', total_items: 1, timed_out: true };
		expect((await wait('return')).records).toMatchObject([seen]);
		const { error } = await wait('fail');
		expect(error?.message).toBe(`Job ${jobId} was not done after 1 seconds`);
		expect(error?.description).toMatch(/'processing'/);
	});

	test('survives an outage of half a minute', async () => {
		const quick = await sandboxForTests({ jobMs: 1 });
		const jobId = await quick.startJob(['a@example.com']);
		await quick.faults([{ match: { path: '/v1/jobs/*' }, do: '500', times: 6 }]);
		const { records, error, requests } = await operate(quick, 'job.wait', { jobId });
		expect(error).toBeUndefined();
		expect(records).toMatchObject([{ id: jobId, status: 'ended', timed_out: false }]);
		expect(requests).toHaveLength(6 + 1);
	});

	test.each(['get', 'getTasks', 'wait'])('an error of "%s" carries its ID', async (operation) => {
		const match = { path: '/v1/jobs/*' };
		await sandbox.faults([{ match, times: 10, do: '429', retryAfter: 9_000 }]);
		const { error } = await run(`job.${operation}`, { jobId: unknownId });
		await sandbox.reset();
		expect(error?.message).toBe("The month's requests to the platform are used up (429)");
		expect(error?.description).toContain(unknownId);
		// It names the day. Nobody reads one in the seconds of the platform.
		expect(error?.description).toMatch(/work again on \d{4}-\d\d-\d\d at/);
		expect(error?.description).not.toMatch(/\d s\b/);
	});
});

/** Starts a job on a sandbox of its own, which never gets to it. */
async function endlessJob() {
	const slow = await sandboxForTests({ jobMs: 600_000 });
	return { slow, jobId: await slow.startJob(['a@example.com']) };
}
