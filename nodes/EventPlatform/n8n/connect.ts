import { createHash } from 'node:crypto';
import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';
import { readApiToken } from './apiToken';
import { credentialType } from './authentication';
import { clock } from './clock';
import { createClient } from '../core/client/client';
import { apiRoot } from '../core/client/baseUrl';
import { isObject } from '../core/values/json';
import { text } from '../core/values/text';
import type { Run } from '../core/client/run';
import { refusedQueriesFor } from '../core/client/refusedQueries';
import { requestQueueFor } from '../core/client/requestQueue';
import { createSend } from './send';

/*
 * The edge to n8n. Begin here: a node connects with its credential.
 *
 *   send.ts             the one place from which requests leave; thrownError.ts: what an error of n8n really means
 *   authentication.ts   the credentials to choose from; apiToken.ts: the token as people paste it
 *   nodeError.ts        the errors that n8n shows
 *   download.ts         stores a file; clock.ts: the time, and sleep that a cancel ends; workflowZone.ts: the zone of the workflow
 */

/** Begins a run: connects a node with the platform by its credential. */
export async function connect(context: IAllExecuteFunctions): Promise<Run> {
	const type = credentialType(context);
	const readCredential = () => context.getCredentials(type, 0);
	const credential = await readCredential();
	const root = apiRoot(credential.baseUrl);
	// A context without this method has no way to cancel a run.
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const log = (message: string) => context.logger.debug(message);
	let secrets = secretsOf(credential);
	const send = createSend(context, {
		credentialType: type,
		root,
		signal,
		async secrets(needsCurrent) {
			// A refresh may have brought new tokens since. A credential that is gone has no tokens.
			const newSecrets = needsCurrent ? secretsOf(await readCredential().catch(() => ({}))) : [];
			secrets = [...new Set([...secrets, ...newSecrets])];
			return secrets;
		},
	});
	const tokenKey = tokenKeyFor(context, credential);
	const queue = requestQueueFor(tokenKey, clock, capOf(credential));
	const refused = refusedQueriesFor(tokenKey, clock);
	const client = createClient({ send, clock, queue, refused, signal, log });
	return { client, apiRoot: root, clock, startedAtMs: clock.now(), signal };
}

/** Reads which API the credential of a node leads to; undefined where that cannot be read. */
export async function readApiRoot(context: IAllExecuteFunctions): Promise<string | undefined> {
	try {
		return apiRoot((await context.getCredentials(credentialType(context), 0)).baseUrl);
	} catch {
		return undefined;
	}
}

/**
 * Reads the key of the token of a node, which is the same for all credentials with that token, because the platform counts their
 * requests together.
 */
export async function readTokenKey(context: IAllExecuteFunctions): Promise<string> {
	return tokenKeyFor(context, await context.getCredentials(credentialType(context), 0));
}

/**
 * Makes the key out of a digest, which does not give the token away. The token of OAuth2 is another one after each refresh and
 * belongs to one credential, which stands in its place.
 */
function tokenKeyFor(
	context: IAllExecuteFunctions,
	{ baseUrl, apiToken }: ICredentialDataDecryptedObject,
): string {
	const identity = [apiRoot(baseUrl), readApiToken(apiToken) || credentialIdOf(context)];
	return createHash('sha256').update(JSON.stringify(identity)).digest('base64url');
}

function credentialIdOf(context: IAllExecuteFunctions): string {
	const type = credentialType(context);
	const { id, name } = context.getNode().credentials?.[type] ?? {};
	return `${type} ${id ?? name ?? ''}`;
}

/** Reads the requests per second; undefined where there is no cap. An expression may give anything, but a value that is no number must not lift it. */
function capOf({ requestsPerSecond }: ICredentialDataDecryptedObject): number | undefined {
	const entered = requestsPerSecond ?? '';
	const number = ['number', 'string'].includes(typeof entered) ? Number(entered) : NaN;
	if (Number.isFinite(number)) return number > 0 ? number : undefined;
	throw new Error(
		"'Requests per Second' in the credential is not a number. Enter a number, or leave it empty.",
	);
}

function secretsOf({
	apiToken,
	clientSecret,
	webhookSecret,
	oauthTokenData,
}: ICredentialDataDecryptedObject): string[] {
	const { access_token, refresh_token } = isObject(oauthTokenData) ? oauthTokenData : {};
	const token = readApiToken(apiToken);
	return [token, clientSecret, webhookSecret, access_token, refresh_token]
		.map(text)
		.filter(Boolean);
}
