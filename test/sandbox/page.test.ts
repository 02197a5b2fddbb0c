import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { upcomingSession } from '../support/platform/seededIds';
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

interface SessionRow {
	name: string;
	status: string;
}

/** The status of each session, and how many people are registered, as the page shows them. */
async function seen() {
	const { data } = await sandbox.web.get<{
		registrations: number;
		events: { events: Array<{ title: string; sessions: SessionRow[] }> };
	}>('/_sandbox/page');
	const sessions = data.events.events.flatMap((event) =>
		event.sessions.map(({ name, status }) => [
			[event.title, name].filter(Boolean).join(', '),
			status,
		]),
	);
	return { registrations: data.registrations, statuses: Object.fromEntries(sessions) as object };
}

test('the session that was started is the one that ends', async () => {
	const started = (await press('start')).replace(' is live.', '');
	expect(await press('end')).toBe(`${started} has ended.`);
	expect((await seen()).statuses).toMatchObject({ [started]: 'past' });
});

test('the button to cancel cancels the session that comes next', async () => {
	const session = (await press('cancel')).replace(' is canceled.', '');
	expect((await seen()).statuses).toMatchObject({ [session]: 'canceled' });
	expect(await press('start')).not.toContain(session);
});

test('the button to move lets the next session begin an hour later', async () => {
	const select = 'SELECT estimated_started_at AS start, updated_at FROM sessions WHERE id = ?';
	const before = sandbox.platform.store.get(select, upcomingSession);
	expect(await press('move')).toMatch(/^Product Tour: Autumn Release, Europe begins an hour later/);
	const after = sandbox.platform.store.get(select, upcomingSession);
	expect(Number(after?.start) - Number(before?.start)).toBe(3_600);
	expect(Number(after?.updated_at)).toBeGreaterThan(Number(before?.updated_at));
});

test('the button to fill a session lets nobody else in until everything starts over', async () => {
	expect(await press('fill')).toBe('Product Tour: Autumn Release, Europe is full.');
	const attributes = { fields: [{ id: 'email', value: 'late@example.org' }] };
	const register = async () => {
		const path = `/sessions/${upcomingSession}/people`;
		const { status, data } = await sandbox.api.post<{ errors?: unknown[] }>(path, {
			data: { type: 'people', attributes },
		});
		return { status, errors: data.errors };
	};
	expect(await register()).toMatchObject({ status: 422, errors: [{ code: 'session_full' }] });
	await press('reset');
	expect(await register()).toMatchObject({ status: 201 });
});

test('whoever registered last is unregistered', async () => {
	const { registrations } = await seen();
	const [email] = (await press('register')).split(' ');
	expect((await seen()).registrations).toBe(registrations + 1);
	expect(await press('unregister')).toMatch(
		new RegExp(`^${email} is not registered for .* any more`),
	);
	expect((await seen()).registrations).toBe(registrations);
});

test('a question is asked in the session that was started, else in the one that ended last', async () => {
	const started = (await press('start')).replace(' is live.', '');
	expect(await press('ask')).toBe(`Somebody asked in ${started}: May we have the slides?`);
	expect(await press('end')).toContain(started);
	expect(await press('end')).not.toContain(started);
	expect(await press('ask')).toMatch(/^Somebody asked in /);
	const questions = sandbox.platform.store.all(
		"SELECT r.role FROM questions q JOIN registrations r ON r.person_id = q.question_author_id AND r.session_id = q.session_id WHERE q.question = 'May we have the slides?'",
	);
	expect(questions.map(({ role }) => role)).toEqual(['participant', 'participant']);
});

test.each(['start', 'cancel', 'move', 'fill', 'unregister'])(
	'without a session to come the button "%s" says so',
	async (button) => {
		const { store } = sandbox.platform;
		store.write('sessions', 'UPDATE sessions SET canceled_at = 1 WHERE started_at = 0');
		const { status, data } = await sandbox.web.post<{ errors: Array<{ detail: string }> }>(
			`/_sandbox/try/${button}`,
			{},
		);
		expect(status).toBe(409);
		expect(data.errors[0]?.detail).toBe('No session is upcoming. Start over to have one again.');
	},
);

test('the button for an event publishes one that clients can read', async () => {
	const { attributes } = await deliveriesAfter('publish', ['event.created', 'event.published']);
	expect(attributes).toEqual([
		expect.objectContaining({ scheduling_status: 'not_scheduled' }),
		expect.objectContaining({ scheduling_status: 'not_scheduled' }),
	]);
});
