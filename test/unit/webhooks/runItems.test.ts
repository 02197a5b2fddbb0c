import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { Delivery } from '../../../nodes/EventPlatform/core/events/eventTypes';
import { DeliveryHistory } from '../../../nodes/EventPlatform/core/webhooks/history';
import { readItems } from '../../../nodes/EventPlatform/core/webhooks/runItems';
import { lookupResultOf } from '../../../nodes/EventPlatform/core/webhooks/decision';
import type {
	Arrival,
	Trigger,
	TriggerSettings,
} from '../../../nodes/EventPlatform/core/webhooks/trigger';
import { fakePlatform, type FakeAnswers } from '../../support/platform/fakePlatform';
import { noFilters } from '../../support/runs/filters';

const start = Date.UTC(2026, 10, 21, 12);

const deliveryOf = (eventType: string, type: string, id = 'x'): Delivery => ({
	eventType,
	record: { type, id, attributes: { status: 'ended' }, relationships: {} },
});
const ofJob = deliveryOf('job.ended', 'jobs');
const ofSession = deliveryOf('session.ended', 'sessions', 's');

/** Every column, with dates in the zone of a workflow in Paris. */
const view = { columns: 'all', zone: 'Europe/Paris' } as const;

const session = {
	data: { id: 's', type: 'sessions', attributes: { name: 'Tour', event_id: 'e' } },
	included: [{ id: 'e', type: 'events', attributes: { title: 'Product' } }],
};

interface Circumstances extends Partial<Pick<TriggerSettings, 'output' | 'filters' | 'view'>> {
	answers?: FakeAnswers;
	confirmationsPerMinute?: number;
	/** Whether the platform has confirmed the record. */
	isConfirmed?: boolean;
	raw?: Arrival['raw'];
}

function triggerKey(delivery: Delivery, circumstances: Circumstances) {
	const { answers = () => session, isConfirmed = false, raw, ...settings } = circumstances;
	const { ask: api, asked } = fakePlatform(answers);
	let now = start;
	const trigger: Trigger = {
		settings: {
			eventTypes: [delivery.eventType],
			verify: 'auto',
			filters: noFilters,
			output: 'job',
			needsDeduplication: true,
			confirmationsPerMinute: 60,
			...settings,
		},
		history: new DeliveryHistory({}, () => now),
		connect: () => Promise.resolve({ api, apiRoot: '/v1', clock: { now: () => now } }),
	};
	const key = 'key-of-the-event';
	const readsTasks = settings.output === 'tasks';
	const arrival: Arrival = { delivery, raw, key, trust: 'keyed', readsTasks, arrivedAtMs: start };
	const read = () =>
		readItems({ kind: 'believed', delivery, isConfirmed, keys: [key] }, arrival, trigger);
	/** Reads the items; gives the kind of the decision where there are none, and what the delivery was worth. */
	const decide = async () => decidedIn(await read());
	const later = (minutes: number) => (now += minutes * 60_000);
	return { read, decide, asked, later };
}

function decidedIn(result: Awaited<ReturnType<typeof readItems>>): string[] {
	return result.kind === 'items' ? [] : [result.kind, lookupResultOf(result)];
}

/** Reads the items; gives them, or the kind of the decision and what the delivery was worth. */
async function itemsOf(delivery: Delivery, circumstances: Circumstances = {}) {
	const { read, asked } = triggerKey(delivery, circumstances);
	const result = await read();
	return {
		items: result.kind === 'items' ? result.items : [],
		decided: decidedIn(result),
		paths: asked.map(({ path }) => path),
		retries: asked.map(({ retry }) => retry),
		patiences: [...new Set(asked.map(({ deadlineAtMs = 0 }) => deadlineAtMs - start))],
	};
}

describe('the tasks of a job', () => {
	const output = 'tasks';

	test.each<[string, Cause, boolean, string[]]>([
		['does not exist, nobody has confirmed it', 'not_found', false, ['forged', 'forged']],
		['does not exist any more, it was confirmed', 'not_found', true, ['retryLater', 'unclear']],
		['cannot be read', 'platform_error', false, ['retryLater', 'unclear']],
	])('start no run where the job %s', async (_, cause, isConfirmed, decided) => {
		const tasks = await itemsOf(ofJob, { output, answers: () => cause, isConfirmed });
		expect(tasks.decided).toEqual(decided);
	});

	test('start no run before all results are there, unless it is the last attempt', async () => {
		const attributes = { status: 'ended', total_items: 2 };
		const delivery = { ...ofJob, record: { ...ofJob.record, attributes } };
		const answers = () => ({ data: [] });
		const { read, later } = triggerKey(delivery, { output, answers, isConfirmed: true });
		const first = await read();
		later(9);
		expect([first.kind, (await read()).kind]).toEqual(['retryLater', 'items']);
	});

	test('carry their dates in the zone of the workflow', async () => {
		const answers = () => ({ data: [{ status: 'succeeded', data: { type: 'people', id: 'p' } }] });
		const { items } = await itemsOf(ofJob, { output, answers, isConfirmed: true, view });
		expect(items).toMatchObject([{ received_at: '2026-11-21T13:00:00+01:00' }]);
	});

	test('are waited for ten seconds', async () => {
		const { patiences } = await itemsOf(ofJob, { output, answers: () => 'platform_error' });
		expect(patiences).toEqual([10_000]);
	});

	test('cost no request where people want the job alone', async () => {
		const { paths, items } = await itemsOf(ofJob);
		expect([paths, items.length]).toEqual([[], 1]);
	});
});

describe('the facts of a session', () => {
	test('are added to its item', async () => {
		expect((await itemsOf(ofSession)).items).toMatchObject([{ event_title: 'Product' }]);
	});

	test('cost one request, which is not repeated', async () => {
		const { paths, retries } = await itemsOf(ofSession);
		expect([paths, retries]).toEqual([['/sessions/s'], ['never']]);
	});

	test('are waited for three seconds', async () => {
		expect((await itemsOf(ofSession)).patiences).toEqual([3_000]);
	});

	test('hold up no run where they cannot be read', async () => {
		const { items } = await itemsOf(ofSession, { answers: () => 'platform_error' });
		expect(items).toMatchObject([{ event_title: null }]);
	});

	test('cost no request that is not in the budget', async () => {
		expect((await itemsOf(ofSession, { confirmationsPerMinute: 0 })).paths).toEqual([]);
	});

	test('are read once for all deliveries about it', async () => {
		const { read, asked } = triggerKey(ofSession, {});
		await read();
		await read();
		expect(asked).toHaveLength(1);
	});
});

test.each([
	['was confirmed says what was not checked', true, true],
	['was not confirmed says nothing of that', false, false],
])('an item of an event type of its own that %s', async (_, isConfirmed, isSaid) => {
	const [item = {}] = (await itemsOf(deliveryOf('people.odd', 'people'), { isConfirmed })).items;
	expect('not_checked' in item).toBe(isSaid);
});

test('a record that the filters leave out has none, once the platform has confirmed it', async () => {
	const filters = { ...noFilters, jobIds: ['another'] };
	const confirmed = { filters, output: 'tasks', isConfirmed: true } as const;
	expect(await itemsOf(ofJob, confirmed)).toMatchObject({ items: [], decided: [], paths: [] });
});

describe('a delivery that is no record', () => {
	const raw = { eventType: 'session.ended', body: { session_id: 's', note: 'late' } };

	test('is handed on as it came', async () => {
		expect((await itemsOf(ofSession, { raw })).items).toMatchObject([raw.body]);
	});

	test('carries its dates in the zone of the workflow', async () => {
		const ended = { ...raw, body: { ended_at: start / 1_000, name: 'Late' } };
		const { items } = await itemsOf(ofSession, { raw: ended, view });
		const noon = '2026-11-21T13:00:00+01:00';
		expect(items).toMatchObject([{ ended_at: noon, received_at: noon, name: 'Late' }]);
	});

	test('costs no request', async () => {
		expect((await itemsOf(ofSession, { raw })).paths).toEqual([]);
	});
});

describe('a filter for the title of the event', () => {
	const filtered = (eventTitleContains: string, answers: FakeAnswers = () => session) => ({
		filters: { ...noFilters, eventTitleContains },
		answers,
	});

	test.each<[string, Circumstances, string[]]>([
		['another title starts no run', filtered('dinner'), ['ignore', 'genuine']],
		['its title starts a run', filtered('product'), []],
		[
			'a title that cannot be read makes the delivery come again',
			filtered('product', () => 'platform_error'),
			['retryLater', 'unclear'],
		],
	])('%s', async (_, circumstances, decided) => {
		expect((await itemsOf(ofSession, circumstances)).decided).toEqual(decided);
	});

	test('the last attempt of a delivery whose title cannot be read ends it', async () => {
		const answers: FakeAnswers = () => 'platform_error';
		const { decide, later } = triggerKey(ofSession, filtered('product', answers));
		await decide();
		later(9);
		expect(await decide()).toEqual(['ignore', 'genuine']);
	});

	test('an event is compared by its own title', async () => {
		const published = deliveryOf('event.published', 'events');
		published.record.attributes = { title: 'Product' };
		expect((await itemsOf(published, filtered('product'))).decided).toEqual([]);
	});

	const bare = { data: session.data };
	const event = { data: { id: 'e', type: 'events', attributes: { title: 'Product' } } };
	const answers: FakeAnswers = ({ path }) => (path === '/events/e' ? event : bare);

	test('the event is read where it did not come along', async () => {
		const { paths, decided } = await itemsOf(ofSession, filtered('product', answers));
		expect([paths, decided]).toEqual([['/sessions/s', '/events/e'], []]);
	});

	test('the event is read only where the title decides', async () => {
		expect((await itemsOf(ofSession, { answers })).paths).toEqual(['/sessions/s']);
	});
});
