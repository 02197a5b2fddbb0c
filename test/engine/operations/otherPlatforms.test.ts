import type { IncomingMessage } from 'node:http';
import type { IDataObject } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { anyServer } from '../../support/anyServer';
import { runWorkflow, tokenCredential } from '../../support/engine';
import { byId } from './operate';

/** Platforms that keep the specification and answer otherwise than the vendor where it says nothing. */

const node = new EventPlatform();

interface Said {
	status?: number;
	/** A text is sent as it is. */
	body?: unknown;
}

/** Runs "resource.operation" on a platform that answers so; 404 to what gets no answer. */
async function operateOn(
	answer: (url: URL, request: IncomingMessage) => Said | undefined,
	name: string,
	parameters: object = {},
	items: IDataObject[] = [{}],
) {
	const { baseUrl, seen } = await anyServer((response, request) => {
		const url = new URL(request.url ?? '', 'http://platform');
		const { status = 200, body = '' } = answer(url, request) ?? { status: 404 };
		response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
	});
	const [resource, operation] = name.split('.');
	const outcome = await runWorkflow({
		node,
		credential: tokenCredential({ baseUrl, apiToken: 'token-of-a-test' }),
		parameters: { resource, operation, ...parameters },
		settings: { onError: 'continueRegularOutput' },
		items,
	});
	const records = outcome.items.map(({ json }) => json);
	const [{ error: message, message: description } = {}] = records;
	return {
		error: typeof message === 'string' ? { message, description } : undefined,
		records,
		hints: outcome.hints.map(({ message }) => message),
		sent: seen.map(({ method, url = '' }) => `${method} ${decodeURIComponent(url)}`),
	};
}

const ofSession = { sessionId: byId('s1') };

describe('what the platform does not have at all', () => {
	test.each([
		['webhook.getAll', {}, 'webhooks'],
		['user.getAll', {}, 'users'],
		['personAttribute.getAll', {}, 'people attributes'],
		['session.getAll', {}, 'sessions'],
		['account.getMe', {}, 'the connected user'],
		['account.ping', {}, 'ping'],
	])('is no matter of an ID: %s', async (operation, of, name) => {
		const { error } = await operateOn(() => undefined, operation, of);
		expect(error?.message).toBe(`This platform has no endpoint for ${name} (404)`);
		expect(error?.description).not.toContain('Check the ID');
	});

	test('may be the cause of a 404 to a path with an ID, too', async () => {
		const { error } = await operateOn(() => undefined, 'session.getPeople', ofSession);
		expect(error?.message).toBe('The platform cannot find the session (404)');
		expect(error?.description).toMatch(/^Check the ID: .* this platform does not have this/);
	});

	test('ends a run at once, because every item would meet it', async () => {
		const user = { email: 'ada@example.com', role: 'host' };
		const { sent } = await operateOn(() => undefined, 'user.create', user, [{}, {}, {}]);
		expect(sent).toEqual(['POST /v1/users']);
	});
});

describe('page 0 of nothing, refused,', () => {
	const noPage = { status: 400, body: { errors: [{ title: 'There is no such page' }] } };

	test.each([
		['event.getAll', {}],
		['session.getQuestions', { ...ofSession, simplify: false }],
		['session.getRecordings', ofSession],
		['personAttribute.getAll', {}],
	])('is an empty list: %s', async (operation, of) => {
		for (const said of [noPage, { status: 400 }, { status: 400, body: 'No such page' }]) {
			const { error, records, sent } = await operateOn(() => said, operation, of);
			expect(error).toBeUndefined();
			expect(records).toEqual([]);
			expect(sent).toHaveLength(1);
		}
	});

	test('may be the fault of a filter, where there is one', async () => {
		const filters = { title: 'Demo' };
		const { error } = await operateOn(() => noPage, 'event.getAll', { filters });
		expect(error?.message).toBe(
			'The platform found nothing, or does not understand a filter or an option (400)',
		);
		expect(error?.description).toMatch(
			/^The platform said: There is no such page\. Some platforms/,
		);
	});

	test('is no empty list where the words are about something else', async () => {
		const said = { status: 400, body: { message: 'The session ID is malformed' } };
		const { error } = await operateOn(() => said, 'session.getRecordings', ofSession);
		expect(error?.message).toBe('The session ID is malformed (400)');
	});
});

test.each([
	[{ errors: [{ title: 'The workspace is full' }] }, 'The platform said: The workspace is full. '],
	[{ message: 'The workspace is full' }, 'The platform said: The workspace is full. '],
	[{ error: 'The workspace is full' }, 'The platform said: The workspace is full. '],
	['The workspace is full', 'The platform said: The workspace is full. '],
	['', ''],
	['<p>The workspace is full</p>', ''],
])('of a refusal that says %j the words are shown, where there are any', async (body, words) => {
	const { error } = await operateOn(() => ({ status: 400, body }), 'event.get', {
		eventId: byId('e1'),
	});
	const title = words ? 'The workspace is full' : 'The platform refused the request as invalid';
	expect(error?.message).toBe(`${title} (400)`);
	expect(error?.description).toBe(
		`${words}Check the values of this item against what the platform said.`,
	);
});
