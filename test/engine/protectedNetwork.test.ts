import '../support/time/fasterClock';
import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { sandboxForTests } from '../support/platform/sandbox';
import { bulkRegister, numberedPeople, statusesOf } from '../support/runs/bulkScene';

/** n8n's protection of private networks forbids the platform. */

const protection = Container.get(SsrfProtectionConfig);
afterEach(() => void (protection.enabled = false));

test('people are not sent, which is said of everybody, with what allows it', async () => {
	const sandbox = await sandboxForTests();
	protection.enabled = true;
	const { records, hints } = await bulkRegister(
		{ baseUrl: sandbox.baseUrl, apiToken: sandbox.apiToken },
		numberedPeople(3),
		{ settings: { onError: 'continueRegularOutput' } },
	);
	expect(statusesOf(records)).toEqual({ failed: 3 });
	const said =
		/n8n forbids connections to the 'Base URL' of the credential\. .*SsrfBlockedIpError.*N8N_SSRF_ALLOWED_HOSTNAMES/;
	for (const { reason } of records) {
		expect(reason).toMatch(/^Not sent\. /);
		expect(reason).toMatch(said);
	}
	expect(hints).toContainEqual(expect.stringMatching(said));
});
