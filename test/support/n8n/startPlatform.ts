import type { IncomingMessage } from 'node:http';
import { startTestServer, type RequestHandler } from '../platform/testServer';
import { tokenCredential } from './engineConsent';
import type { Credential } from './engineCredentials';

interface StartedPlatform {
	/** Leads to it. */
	credential: Credential;
	/** All requests that came. */
	seen: IncomingMessage[];
}

/** A platform that responds as the test says. */
export async function startPlatform(respond: RequestHandler): Promise<StartedPlatform> {
	const { baseUrl, seen } = await startTestServer(respond);
	return { credential: tokenCredential({ baseUrl, apiToken: 'token-of-a-test' }), seen };
}
