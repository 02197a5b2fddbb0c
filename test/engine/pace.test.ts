import { connect } from '../../nodes/EventPlatform/n8n/connect';
import { runWorkflow } from '../support/n8n/engine';
import { tokenCredential } from '../support/n8n/engineConsent';
import { credentials, type Credential } from '../support/n8n/engineCredentials';
import { probe } from './probeNode';
import { startTestServer } from '../support/platform/testServer';

/* These tests compare the times of requests, so their clock is the real one. */

/** A platform that notes when each request came. */
async function timedPlatform() {
	const arrivals: number[] = [];
	const { baseUrl } = await startTestServer((response) => {
		arrivals.push(performance.now());
		response.end('{}');
	});
	return { baseUrl, arrivals };
}

/** Runs a node that sends so many requests at once. */
async function send(count: number, credential: Credential): Promise<void> {
	const node = probe(async (context) => {
		const { client } = await connect(context);
		const requests = Array.from({ length: count }, () =>
			client.send({ method: 'GET', path: '/ping' }),
		);
		await Promise.all(requests);
		return [];
	});
	const { error } = await runWorkflow({ node, credential });
	expect(error).toBeUndefined();
}

const spanOfFirst = (count: number, arrivals: readonly number[]) => {
	const inOrder = [...arrivals].sort((first, second) => first - second);
	return (inOrder[count - 1] ?? NaN) - (inOrder[0] ?? NaN);
};

/** The sixth comes a second after the first. On a busy machine the five before it are spread, too, but never so widely. */
const expectSixthToWait = (arrivals: readonly number[]) =>
	expect(spanOfFirst(6, arrivals)).toBeGreaterThan(2 * spanOfFirst(5, arrivals));

// The first request of a process loads what sends it, which may take longer than the times that are compared.
beforeAll(async () => {
	const { baseUrl } = await timedPlatform();
	await send(1, tokenCredential({ baseUrl, apiToken: 'nobody' }));
});

test('five requests leave at once, and the sixth a second later', async () => {
	const { baseUrl, arrivals } = await timedPlatform();
	await send(6, tokenCredential({ baseUrl, apiToken: 'one' }));
	expect(arrivals).toHaveLength(6);
	expectSixthToWait(arrivals);
});

test('two runs with one credential share its five requests a second', async () => {
	const { baseUrl, arrivals } = await timedPlatform();
	const credential = credentials.add(tokenCredential({ baseUrl, apiToken: 'shared' }));
	await Promise.all([send(3, credential), send(3, credential)]);
	expectSixthToWait(arrivals);
});

test('two credentials with one token share its five requests a second', async () => {
	const { baseUrl, arrivals } = await timedPlatform();
	const pasted = ['twice', 'Bearer twice'].map((apiToken) =>
		credentials.add(tokenCredential({ baseUrl, apiToken })),
	);
	await Promise.all(pasted.map((credential) => send(3, credential)));
	expectSixthToWait(arrivals);
});

test('two tokens have five requests a second each', async () => {
	const [own, shared] = await Promise.all([timedPlatform(), timedPlatform()]);
	const tokens = ['first', 'second'];
	await Promise.all([
		...tokens.map((apiToken) => send(3, tokenCredential({ baseUrl: own.baseUrl, apiToken }))),
		send(6, tokenCredential({ baseUrl: shared.baseUrl, apiToken: 'shared' })),
	]);
	expect(spanOfFirst(6, shared.arrivals)).toBeGreaterThan(2 * spanOfFirst(6, own.arrivals));
});
