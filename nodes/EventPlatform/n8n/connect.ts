import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { credentialType } from './authentication';
import { clock } from './clock';
import { createApi } from '../core/http/api';
import { apiRoot } from '../core/http/baseUrl';
import { paceFor } from '../core/pace/pace';
import type { Api, Clock } from '../core/http/ports';
import { createSend, type NodeContext } from './request';

/** What a node needs to work with the platform. */
export interface Connection {
	api: Api;
	/** Of the credential, `/v1` included. */
	apiRoot: string;
	clock: Clock;
	/** Raised when the person or the engine stops the run; absent where n8n has no way to stop. */
	signal?: AbortSignal;
	log: (message: string) => void;
}

/** Wires the transport for a node: its credential, its cancel signal, and the pace of its token. */
export async function connect(context: NodeContext, itemIndex = 0): Promise<Connection> {
	const type = credentialType(context);
	const read = () => context.getCredentials(type, itemIndex);
	const credential = await read();
	const root = apiRoot(credential.baseUrl);
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const log = (message: string) => context.logger.debug(message);
	const known = new Set(secretsOf(credential));
	const send = createSend(context, {
		credentialType: type,
		root,
		signal,
		async secrets() {
			// A refresh may have brought new ones since. A credential that is gone has none.
			const now = await read().catch(() => ({}));
			for (const secret of secretsOf(now)) known.add(secret);
			return known;
		},
	});
	const { id, name } = context.getNode().credentials?.[type] ?? {};
	const pace = paceFor(`${root} ${type} ${id ?? name ?? ''}`, clock, capOf(credential));
	const api = createApi({ send, clock, pace, signal, log });
	return { api, apiRoot: root, clock, signal, log };
}

/** Empty means no cap of ours. */
function capOf({ requestsPerSecond }: ICredentialDataDecryptedObject): number | undefined {
	const cap = Number(requestsPerSecond);
	return cap > 0 ? cap : undefined;
}

function secretsOf(credential: object): string[] {
	const { apiToken, clientSecret, oauthTokenData } = credential as Record<string, unknown>;
	const tokens =
		typeof oauthTokenData === 'object' && oauthTokenData !== null ? oauthTokenData : {};
	const { access_token, refresh_token } = tokens as Record<string, unknown>;
	return [apiToken, clientSecret, access_token, refresh_token].filter(
		(secret) => typeof secret === 'string' && secret !== '',
	) as string[];
}
