import '../support/time/fasterClock';
import { tokenCredential } from '../support/n8n/engineConsent';
import { registered } from '../support/platform/registrants';
import { rewrittenSandbox } from '../support/platform/rewrittenSandbox';
import { sandboxForTests } from '../support/platform/sandbox';
import { numberedPeople, statusesOf, sync } from '../support/runs/bulkScene';

test('people who were added to a public event whose form could not be read are told of, and nobody is added again', async () => {
	const sandbox = await sandboxForTests({ rate: 1_000, publicEvent: true });
	const platform = await rewrittenSandbox(sandbox, {
		instead: (url) => (/\/events\/[^/]+$/.test(url) ? { status: 502, body: {} } : undefined),
		answer: (text) => text && JSON.stringify({ ...JSON.parse(text), included: undefined }),
	});
	const credential = tokenCredential(platform);
	const people = numberedPeople(3);
	const first = await sync(sandbox, people, {}, { credential });
	expect(statusesOf(first.records)).toEqual({ added: 3 });
	const warning = /belongs to a public event.*People who are sent again are registered twice/;
	expect(first.hints.filter((hint) => warning.test(hint))).toHaveLength(1);
	const second = await sync(sandbox, people, {}, { credential });
	expect(second.error?.description).toMatch(/Sync would add the same people again in every run/);
	expect(await registered(sandbox)).toHaveLength(3);
});
