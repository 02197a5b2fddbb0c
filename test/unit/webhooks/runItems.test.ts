import type { Delivery } from '../../../nodes/EventPlatform/core/events/eventTypes';
import { DeliveryHistory } from '../../../nodes/EventPlatform/core/webhooks/deliveryHistory';
import { readItems, readSessionFacts } from '../../../nodes/EventPlatform/core/webhooks/runItems';
import type { RecordReceiver } from '../../../nodes/EventPlatform/core/webhooks/trigger';
import { fakePlatform, type FakeAnswers } from '../../support/platform/fakePlatform';
import { noFilters } from '../../support/runs/filters';

const start = Date.UTC(2026, 10, 21, 12);

const deliveryOf = (eventType: string, type: string, id = 'x'): Delivery => ({
	eventType,
	record: { type, id, attributes: { status: 'ended' }, relationships: {} },
});
const ofJob = deliveryOf('job.ended', 'jobs');
const ofSession = deliveryOf('session.ended', 'sessions', 's');

const session = {
	data: { id: 's', type: 'sessions', attributes: { name: 'Tour', event_id: 'e' } },
	included: [{ id: 'e', type: 'events', attributes: { title: 'Product' } }],
};

interface Circumstances extends Partial<Pick<RecordReceiver, 'output' | 'filters'>> {
	answers?: FakeAnswers;
	confirmationsPerMinute?: number;
}

function receiverOf(delivery: Delivery, { answers = () => session, ...more }: Circumstances) {
	const { ask, asked } = fakePlatform(answers);
	const patiences: number[] = [];
	let now = start;
	const receiver: RecordReceiver = {
		eventTypes: [delivery.eventType],
		verify: 'auto',
		filters: noFilters,
		output: 'job',
		needsDeduplication: true,
		confirmationsPerMinute: 60,
		history: new DeliveryHistory({}, () => now),
		proof: 'key',
		arrivedAt: start,
		delivery,
		key: 'key-of-the-event',
		...more,
		connect(patienceMs) {
			patiences.push(patienceMs);
			return Promise.resolve({ api: ask, apiRoot: '/v1' });
		},
	};
	const later = (minutes: number) => (now += minutes * 60_000);
	return { receiver, asked, patiences, later };
}

/** Reads the items; gives them, or the kind of the decision and what the delivery was worth. */
async function itemsOf(delivery: Delivery, circumstances: Circumstances = {}, isConfirmed = false) {
	const { receiver, asked, patiences } = receiverOf(delivery, circumstances);
	const result = await readItems({ delivery, isConfirmed }, receiver);
	const isRead = result.kind === 'read';
	return {
		items: isRead ? result.items : [],
		decided: isRead ? [] : [result.decision.kind, result.worth],
		paths: asked.map(({ path }) => path),
		retries: asked.map(({ retry }) => retry),
		patiences,
	};
}

describe('the tasks of a job', () => {
	const output = 'tasks';

	test.each([
		['does not exist, nobody has confirmed it', 'not_found', false, ['forged', 'forged']],
		['does not exist any more, it was confirmed', 'not_found', true, ['retryLater', 'unclear']],
		['cannot be read', 'platform_error', false, ['retryLater', 'unclear']],
	])('start no run where the job %s', async (_, cause, isConfirmed, decided) => {
		const tasks = await itemsOf(ofJob, { output, answers: () => cause }, isConfirmed);
		expect(tasks.decided).toEqual(decided);
	});

	test('start no run before all results are there, unless it is the last attempt', async () => {
		const attributes = { status: 'ended', total_items: 2 };
		const delivery = { ...ofJob, record: { ...ofJob.record, attributes } };
		const answers = () => ({ data: [] });
		const { receiver, later } = receiverOf(delivery, { output, answers });
		const kindOf = async () => {
			const result = await readItems({ delivery, isConfirmed: true }, receiver);
			return result.kind === 'decided' ? result.decision.kind : result.kind;
		};
		const first = await kindOf();
		later(9);
		expect([first, await kindOf()]).toEqual(['retryLater', 'read']);
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
		const { receiver, asked } = receiverOf(ofSession, {});
		await readSessionFacts(ofSession, receiver);
		await readSessionFacts(ofSession, receiver);
		expect(asked).toHaveLength(1);
	});
});

test.each([
	['was confirmed says what was not checked', true, true],
	['was not confirmed says nothing of that', false, false],
])('an item of an event type of its own that %s', async (_, isConfirmed, isSaid) => {
	const [item = {}] = (await itemsOf(deliveryOf('people.odd', 'people'), {}, isConfirmed)).items;
	expect('not_checked' in item).toBe(isSaid);
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
		const { receiver, later } = receiverOf(
			ofSession,
			filtered('product', () => 'platform_error'),
		);
		const read = () => readItems({ delivery: ofSession, isConfirmed: true }, receiver);
		await read();
		later(9);
		expect(await read()).toMatchObject({ decision: { kind: 'ignore' }, worth: 'genuine' });
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
