import '../../support/fasterClock';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { runWorkflow, tokenCredential } from '../../support/engine';
import { bulkOf, sandboxForTests, type TestSandbox } from '../../support/sandbox';
import { fresh, makeEvent, makeSession } from './making';
import { byId, noSuchId } from './operationCase';

const node = new EventPlatform();
let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await sandboxForTests();
});

const getEvent = { resource: 'event', operation: 'get', eventId: byId() };

test('nothing in, nothing out, nothing sent', async () => {
	const { items, error, requests } = await run(getEvent, []);
	expect(error).toBeUndefined();
	expect(items).toEqual([]);
	expect(requests).toEqual([]);
});

test('a failed item leaves by the error branch with what came in and what went wrong', async () => {
	const id = await makeEvent(sandbox);
	const { outputs } = await run(
		getEvent,
		[
			{ id, row: 1 },
			{ id: noSuchId, row: 2 },
			{ id, row: 3 },
		],
		{ onError: 'continueErrorOutput' },
	);
	expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
	expect(outputs[1]).toEqual([
		{
			json: {
				id: noSuchId,
				row: 2,
				error: 'The platform cannot find the event (404)',
				message: expect.stringContaining('Check the ID') as string,
			},
			pairedItem: { item: 1 },
		},
	]);
});

describe('an error of the whole run', () => {
	const people = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
	const byEmail = { mappingMode: 'defineBelow', value: { email: '={{ $json.email }}' } };
	const operations = [
		getEvent,
		{ resource: 'person', operation: 'getAll', returnAll: true },
		{ resource: 'registration', operation: 'register', sessionId: noSuchId, fields: byEmail },
		{ resource: 'registration', operation: 'bulkRegister', sessionId: noSuchId, fields: byEmail },
		{ resource: 'event', operation: 'explode' },
	];
	test.each(operations.map((one) => [`${one.resource} ${one.operation}`, one] as const))(
		'leaves with every item by the error branch: %s',
		async (_, parameters) => {
			const { outputs, error } = await runWorkflow({
				node,
				credential: tokenCredential({ ...sandbox, baseUrl: 'platform' }),
				parameters,
				items: people,
				settings: { onError: 'continueErrorOutput' },
			});
			expect(error).toBeUndefined();
			expect(outputs[0]).toEqual([]);
			expect(outputs[1]?.map(({ json, pairedItem }) => [json.email, pairedItem])).toEqual([
				['a@example.com', { item: 0 }],
				['b@example.com', { item: 1 }],
			]);
			for (const { json } of outputs[1] ?? []) expect(json.error).toBeTruthy();
		},
	);

	test('is one error item for each item that came in, where there is no error branch', async () => {
		const { items, error } = await runWorkflow({
			node,
			credential: tokenCredential({ ...sandbox, baseUrl: 'platform' }),
			parameters: operations[3],
			items: people,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(items).toEqual(
			people.map((_, item) => ({
				json: { error: expect.stringContaining("'Base URL'") as string },
				pairedItem: { item },
			})),
		);
	});
});

test('reads overlap, so that a slow platform does not slow the pace, and come out in order', async () => {
	const slow = await sandboxForTests({ latencyMs: 1_000 });
	const ids = [await makeEvent(slow), await makeEvent(slow)];
	const items = [0, 1, 0, 1, 0, 1].map((index) => ({ id: ids[index] ?? '' }));
	const outcome = await runWorkflow({
		node,
		credential: tokenCredential(slow),
		parameters: getEvent,
		items,
	});
	expect(outcome.items.map(({ json }) => json.id)).toEqual(items.map(({ id }) => id));
	const reads = (await slow.requests()).filter(({ method }) => method === 'GET');
	// The first one finds out whether others use the token; the rest need not wait for each other.
	const [, second, third] = reads;
	expect(third?.time).toBeLessThan((second?.time ?? 0) + (second?.durationMs ?? 0));
});

test('writes do not overlap: the last change is the last item’s', async () => {
	const id = await makeEvent(sandbox);
	const items = Array.from({ length: 6 }, (_, index) => ({ id, title: `Version ${index}` }));
	const update = {
		resource: 'event',
		operation: 'update',
		eventId: byId(),
		updateFields: { title: '={{ $json.title }}' },
	};
	const outcome = await run(update, items);
	expect(outcome.items.map(({ json }) => json.title)).toEqual(items.map(({ title }) => title));
	const { data } = await sandbox.api.get<{ data: { attributes: { title: string } } }>(
		`/events/${id}`,
	);
	expect(data.data.attributes.title).toBe('Version 5');
});

test('an update of nothing is refused, and nothing is sent', async () => {
	const id = await makeEvent(sandbox);
	const { error, requests } = await run(
		{ resource: 'event', operation: 'update', eventId: byId(), updateFields: {} },
		[{ id }],
	);
	expect(error?.message).toBe('There is nothing to update');
	expect(requests).toEqual([]);
});

test('a tag that is not there is not called a missing event', async () => {
	const id = await makeEvent(sandbox);
	const { error } = await run(
		{ resource: 'event', operation: 'removeTag', eventId: byId(), tag: 'nowhere' },
		[{ id }],
	);
	expect(error?.message).toBe('The platform cannot find the event or the tag (404)');
});

test.each([0, -1, 'long'])(
	'to wait %p seconds is refused, and nothing is sent',
	async (seconds) => {
		const { error, requests } = await run(
			{
				resource: 'job',
				operation: 'wait',
				jobId: noSuchId,
				options: { maxWaitSeconds: seconds },
			},
			[{}],
		);
		expect(error?.message).toBe("'Max Wait' is not a number of seconds above 0");
		expect(requests).toEqual([]);
	},
);

test('the start of a session is moved in the time zone of the session, asked for only when needed', async () => {
	const id = await makeSession(sandbox);
	const update = (start: string) => ({
		resource: 'session',
		operation: 'update',
		sessionId: byId(),
		updateFields: { estimatedStartedAt: start },
	});
	const moved = await run(update('2027-03-02T12:00:00Z'), [{ id }]);
	expect(moved.items[0]?.json.estimated_started_at).toBe('2027-03-02T07:00:00-05:00');
	expect(moved.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);

	const again = await run(update('2027-03-03T13:00:00'), [{ id }]);
	expect(again.items[0]?.json.estimated_started_at).toBe('2027-03-03T07:00:00-05:00');
	expect(again.requests.map(({ method }) => method)).toEqual(['PATCH']);
});

describe('included records', () => {
	test('come with the record that refers to them, simplified like it', async () => {
		const eventId = await makeEvent(sandbox, { title: fresh('Host') });
		const sessionId = await makeSession(sandbox, eventId);
		const { items } = await run({ ...getEvent, options: { include: ['sessions', 'tags'] } }, [
			{ id: eventId },
		]);
		expect(items[0]?.json).toMatchObject({
			sessions: [sessionId],
			included: [{ id: sessionId, type: 'sessions', event_id: eventId }],
		});
		const back = await run(
			{
				resource: 'session',
				operation: 'get',
				sessionId: byId(),
				simplify: false,
				options: { include: ['event'] },
			},
			[{ id: sessionId }],
		);
		expect(back.items[0]?.json).toMatchObject({
			id: sessionId,
			included: [{ id: eventId, attributes: {} }],
		});
	});
});

describe('waiting for a job', () => {
	test('gives the job as it is when the time is over, or fails with its ID', async () => {
		const { slow, jobId } = await endlessJob();
		const wait = (onTimeout: string) =>
			runWorkflow({
				node,
				credential: tokenCredential(slow),
				parameters: {
					resource: 'job',
					operation: 'wait',
					jobId,
					options: { maxWaitSeconds: 1, onTimeout },
				},
			});
		const { items } = await wait('return');
		expect(items.map(({ json }) => json)).toMatchObject([
			{ id: jobId, status: 'processing', total_items: 1, timed_out: true },
		]);
		const { error } = await wait('fail');
		expect(error?.message).toBe(`Job ${jobId} was not done after 1 seconds`);
		expect(error?.description).toMatch(/'processing'/);
	});

	test.each(['get', 'getTasks', 'wait'])('an error of "%s" carries its ID', async (operation) => {
		await sandbox.faults([
			{ match: { path: '/v1/jobs/*' }, times: 10, do: '429', retryAfter: 9_000 },
		]);
		const { error } = await run({ resource: 'job', operation, jobId: noSuchId }, [{}]);
		await sandbox.reset();
		expect(error?.message).toBe("The month's requests to the platform are used up (429)");
		expect(error?.description).toContain(noSuchId);
	});

	test('ends when the run is cancelled', async () => {
		const { slow, jobId } = await endlessJob();
		const looked = new Promise((done) => setTimeout(done, 300));
		const { run: ended } = await runWorkflow({
			node,
			credential: tokenCredential(slow),
			parameters: { resource: 'job', operation: 'wait', jobId },
			cancel: looked,
		});
		expect(ended.status).toBe('canceled');
	});
});

/** On a sandbox of its own, which never gets to it. */
async function endlessJob() {
	const slow = await sandboxForTests({ jobMs: 600_000 });
	const session = await makeSession(slow);
	const { data } = await slow.api.post<{ id: string }>(
		`/sessions/${session}/people/bulk`,
		bulkOf(['a@example.com']),
	);
	return { slow, jobId: data.id };
}

async function run(parameters: INodeParameters, items: IDataObject[], settings?: Partial<INode>) {
	const before = (await sandbox.requests()).length;
	const outcome = await runWorkflow({
		node,
		credential: tokenCredential(sandbox),
		parameters,
		items,
		settings,
	});
	return { ...outcome, requests: (await sandbox.requests()).slice(before) };
}
