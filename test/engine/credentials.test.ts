import { connect } from '../../nodes/EventPlatform/transport/connect';
import { Engine, connectThroughConsent, tokenCredential } from '../support/engine';
import { probe } from '../support/probe';
import { sandboxForTests } from '../support/sandbox';

const ping = probe(async (context) => {
	const { api } = await connect(context);
	const answer = await api({ method: 'GET', path: '/ping' });
	return [{ json: { status: answer.status } }];
});

test('an API token reaches the platform as it is', async () => {
	const sandbox = await sandboxForTests();
	const { items, error } = await new Engine({
		node: ping,
		credential: tokenCredential(sandbox),
	}).run();
	expect(error).toBeUndefined();
	expect(items[0]?.json).toEqual({ status: 200 });
});

test('a credential connected through the consent page reaches the platform', async () => {
	const sandbox = await sandboxForTests();
	const { credential } = await connectThroughConsent(sandbox);
	const { items, error } = await new Engine({ node: ping, credential }).run();
	expect(error).toBeUndefined();
	expect(items[0]?.json).toEqual({ status: 200 });
});
