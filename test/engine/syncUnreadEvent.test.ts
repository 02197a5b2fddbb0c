import '../support/time/fasterClock';
import { tokenCredential } from '../support/n8n/engineConsent';
import { registered } from '../support/platform/registrants';
import { sandboxForTests } from '../support/platform/sandbox';
import { startTestServer } from '../support/platform/testServer';
import { numberedPeople, statusesOf, sync } from '../support/runs/bulkScene';

/** Sends on what it is asked, but shows no event with a session, and fails where an event is asked for. */
async function withoutEvents(baseUrl: string): Promise<string> {
	const proxy = await startTestServer((response, { method, url = '', headers }, body) => {
		response.setHeader('content-type', 'application/json');
		if (/\/events\/[^/]+$/.test(url)) {
			response.writeHead(502).end('{}');
			return;
		}
		const { authorization = '', 'content-type': type = 'application/json' } = headers;
		const sent = { method, headers: { authorization, 'content-type': type } };
		void fetch(`${baseUrl}${url}`, { ...sent, ...(body && { body }) }).then(async (from) => {
			const text = await from.text();
			response.statusCode = from.status;
			response.end(text && JSON.stringify({ ...JSON.parse(text), included: undefined }));
		});
	});
	return proxy.baseUrl;
}

test('people who were added to a public event whose form could not be read are told of, and nobody is added again', async () => {
	const sandbox = await sandboxForTests({ rate: 1_000, publicEvent: true });
	const baseUrl = await withoutEvents(sandbox.baseUrl);
	const credential = tokenCredential({ ...sandbox, baseUrl });
	const people = numberedPeople(3);
	const first = await sync(sandbox, people, {}, { credential });
	expect(statusesOf(first.records)).toEqual({ added: 3 });
	const warning = /belongs to a public event.*People who are sent again are registered twice/;
	expect(first.hints.filter((hint) => warning.test(hint))).toHaveLength(1);
	const second = await sync(sandbox, people, {}, { credential });
	expect(second.error?.message).toMatch(/Sync would add the same people again in every run/);
	expect(await registered(sandbox)).toHaveLength(3);
});
