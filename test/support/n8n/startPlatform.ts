import { startTestServer, type RequestHandler, type TestServer } from '../platform/testServer';
import { tokenCredential } from './engineConsent';
import type { Credential } from './engineCredentials';

interface StartedPlatform extends TestServer {
	apiToken: string;
	/** Leads to it. */
	credential: Credential;
}

/** A platform that responds as the test says. */
export async function startPlatform(respond: RequestHandler): Promise<StartedPlatform> {
	const access = { ...(await startTestServer(respond)), apiToken: 'token-of-a-test' };
	return { ...access, credential: tokenCredential(access) };
}
