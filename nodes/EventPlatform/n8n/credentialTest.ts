import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { apiRoot } from '../core/client/baseUrl';
import { readApiToken } from './apiToken';
import { createTestSend } from './send';
import { problemOfToken } from '../core/failures/credentialCheck';
import { redact } from '../core/values/redact';
import { clock } from './clock';
import { capOf } from './connect';

/** Tests an API token. n8n's own kind of test takes any server that responds with 200 for the platform, and names no cause. */
async function testApiToken(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const token = readApiToken(data.apiToken);
	try {
		const root = apiRoot(data.baseUrl);
		capOf(data);
		const send = createTestSend(this, root, token);
		const message = await problemOfToken(root, send, clock.now());
		return message === undefined
			? { status: 'OK', message: 'The platform accepts the API token' }
			: { status: 'Error', message };
	} catch (error) {
		// Nothing was sent, because the base URL is no URL, a limit is no number, or the token cannot stand in a header.
		const message = error instanceof Error ? error.message : String(error);
		return { status: 'Error', message: redact(message, [token]) };
	}
}

export const credentialTest = { apiToken: testApiToken };
