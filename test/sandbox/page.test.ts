import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { openReceiver } from '../support/platform/webhookReceiver';
import { eventually } from '../support/time/eventually';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests({ seedPeople: 30 });
});
beforeEach(() => sandbox.reset());

interface Pressed {
	message: string;
}

const press = async (button: string): Promise<string> => {
	const { status, data } = await sandbox.web.post<Pressed>(`/_sandbox/try/${button}`, {});
	expect(status).toBe(200);
	return data.message;
};

/** Subscribes to event types, presses a button, and waits until each of them was delivered. */
async function deliveriesAfter(button: string, eventTypes: string[]) {
	const { url, deliveries } = await openReceiver();
	for (const eventType of eventTypes) await sandbox.subscribe(url, eventType);
	const message = await press(button);
	await eventually(() => deliveries.length >= eventTypes.length);
	const delivered = deliveries.map(({ body }) => body as { data: { attributes: object } });
	return { message, attributes: delivered.map(({ data }) => data.attributes) };
}

test('the button for a campaign registers somebody with UTM values and a referrer', async () => {
	const { message, attributes } = await deliveriesAfter('campaign', ['people.registered']);
	expect(message).toContain('is registered for');
	expect(attributes).toEqual([
		expect.objectContaining({
			registrant_detail: expect.objectContaining({
				utm_campaign: 'november',
				utm_source: 'newsletter',
				referrer: 'https://news.example.net/november',
			}) as unknown,
		}),
	]);
});

test('the button for a replay lets another person watch it each time', async () => {
	const { message, attributes } = await deliveriesAfter('replay', ['people.watched_replay']);
	expect(message).toContain('watched the replay');
	expect(attributes).toEqual([
		expect.objectContaining({
			registrant_detail: expect.objectContaining({ has_viewed_replay: true }) as unknown,
		}),
	]);
	expect(await press('replay')).not.toBe(message);
});

test('the button for an event publishes one that clients can read', async () => {
	const { attributes } = await deliveriesAfter('publish', ['event.created', 'event.published']);
	expect(attributes).toEqual([
		expect.objectContaining({ scheduling_status: 'not_scheduled' }),
		expect.objectContaining({ scheduling_status: 'not_scheduled' }),
	]);
});
