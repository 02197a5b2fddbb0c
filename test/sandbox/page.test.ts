import { sandboxOfFile } from '../support/platform/sandbox';
import { upcomingSession } from '../support/platform/seededIds';
import { openReceiver } from '../support/platform/webhookReceiver';
import { eventually } from '../support/time/eventually';

/* The buttons of the page, with which people try the triggers. The browser presses others in e2e/sandboxPage. */

const sandbox = sandboxOfFile({ seedPeople: 30 });
beforeEach(() => sandbox.reset());

const press = async (button: string): Promise<string> => {
	const path = `/_sandbox/try/${button}`;
	const { status, data } = await sandbox.web.post<{ message: string }>(path, {});
	expect(status).toBe(200);
	return data.message;
};

test.each([
	['campaign', 'people.registered', 'is registered for', /"utm_campaign":"november"/],
	['replay', 'people.watched_replay', 'watched the replay', /"has_viewed_replay":true/],
	['publish', 'event.published', 'is published', /"scheduling_status":"not_scheduled"/],
])('the button "%s" lets %s be delivered', async (button, eventType, words, content) => {
	const { url, deliveries } = await openReceiver();
	await sandbox.subscribe(url, eventType);
	expect(await press(button)).toContain(words);
	await eventually(() => deliveries.length > 0);
	expect(JSON.stringify(deliveries[0]?.body)).toMatch(content);
});

test('the session that was started is the one that ends', async () => {
	const started = (await press('start')).replace(' is live.', '');
	expect(await press('end')).toBe(`${started} has ended.`);
});

test('the next session can be canceled, and moved by an hour', async () => {
	const start = () =>
		Number(
			sandbox.platform.store.get(
				'SELECT estimated_started_at AS start FROM sessions WHERE id = ?',
				upcomingSession,
			)?.start,
		);
	const before = start();
	expect(await press('move')).toMatch(/^Product Tour: Autumn Release, Europe begins an hour later/);
	expect(start() - before).toBe(3_600);
	expect(await press('cancel')).toBe('Product Tour: Autumn Release, Europe is canceled.');
	expect(await press('start')).not.toContain('Europe');
});

test('the button to fill a session lets nobody else in until everything starts over', async () => {
	expect(await press('fill')).toBe('Product Tour: Autumn Release, Europe is full.');
	const register = async () => {
		const attributes = { fields: [{ id: 'email', value: 'late@example.org' }] };
		const data = { data: { type: 'people', attributes } };
		return (await sandbox.api.post(`/sessions/${upcomingSession}/people`, data)).status;
	};
	expect(await register()).toBe(422);
	await press('reset');
	expect(await register()).toBe(201);
});

test('the last person who registered is unregistered', async () => {
	const [email] = (await press('register')).split(' ');
	expect(await press('unregister')).toMatch(new RegExp(`^${email} is not registered for `));
});

test('without a session to come a button says so', async () => {
	const { store } = sandbox.platform;
	store.write('UPDATE sessions SET canceled_at = 1 WHERE started_at = 0');
	const { status, data } = await sandbox.web.post<{ errors: Array<{ detail: string }> }>(
		'/_sandbox/try/start',
		{},
	);
	expect(status).toBe(409);
	expect(data.errors[0]?.detail).toBe('No session is upcoming. Start over to have one again.');
});
