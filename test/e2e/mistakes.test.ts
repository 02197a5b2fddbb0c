import type { SavedCredential } from '../../host/editor';
import { execute } from '../../host/execution';
import { freePort } from '../../host/ports';
import { ensureCredential, provisionCredentials, tokenType } from '../../host/provision';
import { redirectUriOf, startTestedN8n, type TestedN8n } from '../support/n8n';
import { sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';
import {
	bulkRegister,
	eventPlatform,
	manual,
	node,
	people,
	workflowOf,
} from '../support/workflows';

jest.setTimeout(180_000);

let tested: TestedN8n;
let sandbox: TestSandbox;
let credentials: { token: SavedCredential; oAuth: SavedCredential };

beforeAll(async () => {
	const port = await freePort();
	sandbox = await sandboxForTests({ redirectUri: redirectUriOf(port) });
	tested = await startTestedN8n({ port });
	credentials = await provisionCredentials(tested.editor, sandbox);
});

afterAll(() => tested?.close());

describe('n8n’s test of a credential', () => {
	const answerTo = async ({ id }: SavedCredential, data: object) => {
		const saved = await tested.editor.get<SavedCredential>(
			`/rest/credentials/${id}?includeData=true`,
		);
		return await tested.editor.post<{ status: string; message: string }>('/rest/credentials/test', {
			credentials: { ...saved, data: { ...saved.data, ...data } },
		});
	};

	test('passes with a good token, and with a connected OAuth2 credential', async () => {
		expect(await answerTo(credentials.token, {})).toMatchObject({ status: 'OK' });
		expect(await answerTo(credentials.oAuth, {})).toMatchObject({ status: 'OK' });
	});

	test('names what is wrong with a token or its address', async () => {
		const { token } = credentials;
		const nowhere = `http://localhost:${await freePort()}`;
		for (const [wrong, why] of [
			[{ apiToken: 'wrong' }, 'does not accept the API token (401)'],
			[{ baseUrl: tested.n8n.url }, 'so this is not the platform'],
			[{ baseUrl: nowhere }, `Nothing answers at ${nowhere}`],
			[{ baseUrl: 'platform' }, 'not a URL'],
		] as const) {
			const { status, message } = await answerTo(token, wrong);
			expect(status).toBe('Error');
			expect(message).toContain(why);
		}
	});

	test('takes no other server for the platform with OAuth2 either', async () => {
		const { status, message } = await answerTo(credentials.oAuth, { baseUrl: tested.n8n.url });
		expect(status).toBe('Error');
		expect(message).toContain('Something other than the platform answers');
	});
});

test('an error of the whole run takes everybody to the error branch, whatever the operation', async () => {
	const wrong = await ensureCredential(tested.editor, {
		name: 'Wrong token',
		type: tokenType,
		data: { baseUrl: 'platform', apiToken: sandbox.apiToken },
	});
	const list = { resource: 'person', operation: 'getAll', returnAll: true };
	for (const failing of [
		bulkRegister(wrong, upcomingSession),
		bulkRegister(wrong, upcomingSession, { output: 'summary' }),
		eventPlatform('List people', wrong, list),
	]) {
		const branching = workflowOf(
			'Mistakes',
			manual,
			people(3),
			{ ...failing, onError: 'continueErrorOutput' },
			node('Successes', 'n8n-nodes-base.noOp'),
			node('Errors', 'n8n-nodes-base.noOp'),
		);
		branching.connections[failing.name] = {
			main: ['Successes', 'Errors'].map((name) => [{ node: name, type: 'main', index: 0 }]),
		};
		const { id = '' } = await tested.editor.post<{ id?: string }>('/rest/workflows', branching);
		const execution = await execute(tested.editor, id, 'Start');
		expect(execution.status).toBe('success');
		expect(execution.output('Successes')).toEqual([]);
		expect(execution.output('Errors')).toMatchObject(
			[1, 2, 3].map((number) => ({
				email: `person${number}@example.com`,
				error: expect.stringContaining("'Base URL'") as string,
			})),
		);
	}
});
