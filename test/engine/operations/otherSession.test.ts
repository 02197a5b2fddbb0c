import type { IncomingMessage } from 'node:http';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { startTestServer } from '../../support/platform/testServer';
import { runWorkflow } from '../../support/n8n/engine';
import { tokenCredential } from '../../support/n8n/engineConsent';
import { byId } from '../../support/n8n/locators';

const [session, otherSession] = ['a', 'b'].map(
	(last) => `5e550000-0000-4000-8000-00000000000${last}`,
);

/** A platform that finds people by their address in all sessions, whatever session is asked for. */
async function platform(sessionOfPerson = '') {
	const methods: string[] = [];
	const registrant_detail = { session_id: sessionOfPerson, fields: [] };
	const attributes = { email: 'ada@example.com', role: 'participant', registrant_detail };
	const server = await startTestServer((response, { method = '' }: IncomingMessage) => {
		methods.push(method);
		const data = [{ type: 'people', id: 'p1', attributes }];
		const meta = { current_page: 0, next_page: null, page_count: 1, record_count: 1 };
		response.setHeader('content-type', 'application/json').end(JSON.stringify({ data, meta }));
	});
	return { server, methods };
}

test.each([
	['is of another session is not removed', otherSession, ['GET']],
	['is of the session is removed', session, ['GET', 'DELETE']],
])('a person whose record %s', async (_, sessionOfPerson, sent) => {
	const { server, methods } = await platform(sessionOfPerson);
	const { error } = await runWorkflow({
		node: new EventPlatform(),
		credential: tokenCredential({ ...server, apiToken: 'x' }),
		parameters: {
			resource: 'registration',
			operation: 'unregister',
			sessionId: byId(session ?? ''),
			by: 'email',
			email: 'ada@example.com',
		},
	});
	expect(methods.slice(0, sent.length)).toEqual(sent);
	expect(methods.includes('DELETE')).toBe(sent.includes('DELETE'));
	if (sessionOfPerson === session) expect(error).toBeUndefined();
	else expect(error?.message).toMatch(/^Nobody with the email ada@example\.com is registered/);
});
