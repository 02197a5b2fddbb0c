import {
	ICredentialsHelper,
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { EventPlatformApi } from '../../../credentials/EventPlatformApi.credentials';
import { EventPlatformOAuth2Api } from '../../../credentials/EventPlatformOAuth2Api.credentials';
import { emptyNode, expression } from './emptyWorkflow';

export interface Credential {
	type: 'eventPlatformApi' | 'eventPlatformOAuth2Api';
	data: ICredentialDataDecryptedObject;
	/** Under which it is stored already; else each use of it stores it anew. */
	id?: string;
}

/** The fields that n8n's own OAuth2 type adds to those that extend it, as far as they matter here. */
const inherited: INodeProperties[] = [
	...['clientId', 'clientSecret', 'grantType', 'authUrl', 'accessTokenUrl', 'scope'].map(
		(name) => ({ displayName: name, name, type: 'string', default: '' }) as const,
	),
	{ displayName: 'authentication', name: 'authentication', type: 'string', default: 'header' },
	{ displayName: 'ignoreSSLIssues', name: 'ignoreSSLIssues', type: 'boolean', default: false },
	{ displayName: 'expired', name: 'tokenExpiredStatusCode', type: 'number', default: 401 },
	{ displayName: 'oauthTokenData', name: 'oauthTokenData', type: 'json', default: {} },
];

const types: Record<string, ICredentialType> = {
	eventPlatformApi: new EventPlatformApi(),
	eventPlatformOAuth2Api: new EventPlatformOAuth2Api(),
};

/** n8n's credential store, in memory and not encrypted, so that tests can read what is stored. */
class MemoryCredentials extends ICredentialsHelper {
	private readonly stored = new Map<string, Credential>();

	add(credential: Credential): Credential & { id: string } {
		const id = `credential-${this.stored.size + 1}`;
		this.stored.set(id, structuredClone(credential));
		return { ...credential, id };
	}

	/** Gives the credential as it is stored, expressions and all. */
	read(id: string | null = null): ICredentialDataDecryptedObject {
		const credential = this.stored.get(id ?? '');
		if (!credential) throw new Error(`There is no credential ${id}`);
		return credential.data;
	}

	getParentTypes(name: string): string[] {
		return types[name]?.extends ?? [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = types[typeName] ?? {};
		const request = requestOptions as IHttpRequestOptions;
		if (typeof authenticate === 'function') return authenticate(credentials, request);
		if (authenticate) throw new Error('The engine evaluates no expression of a credential');
		return Promise.resolve(request);
	}

	preAuthentication(): Promise<undefined> {
		return Promise.resolve(undefined);
	}

	runPreAuthentication(): Promise<undefined> {
		return Promise.resolve(undefined);
	}

	getCredentials(): Promise<ICredentials> {
		throw new Error('Not used by the engine');
	}

	/** Defaults filled in and expressions resolved, as n8n does it. */
	getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData | undefined,
		{ id }: INodeCredentialsDetails,
		type: string,
		_mode?: unknown,
		_executeData?: unknown,
		raw?: boolean,
	): Promise<ICredentialDataDecryptedObject> {
		const stored = this.read(id);
		if (raw) return Promise.resolve(structuredClone(stored));
		const { oauthTokenData } = stored;
		const saved = structuredClone(stored) as never;
		const properties = this.getCredentialsProperties(type);
		const filled = NodeHelpers.getNodeParameters(properties, saved, true, false, null, null);
		const all = filled as ICredentialDataDecryptedObject;
		if (oauthTokenData === undefined) delete all.oauthTokenData;
		else all.oauthTokenData = structuredClone(oauthTokenData);
		const values = [all as never, 'internal', {}, undefined, undefined, all] as const;
		const resolved = expression.getComplexParameterValue(emptyNode, ...values);
		return Promise.resolve(resolved as ICredentialDataDecryptedObject);
	}

	updateCredentials(
		{ id }: INodeCredentialsDetails,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		this.stored.set(id ?? '', { type: type as Credential['type'], data: structuredClone(data) });
		return Promise.resolve();
	}

	async updateCredentialsOauthTokenData(
		details: INodeCredentialsDetails,
		type: string,
		{ oauthTokenData }: ICredentialDataDecryptedObject,
	): Promise<void> {
		const data = { ...this.read(details.id) };
		if (oauthTokenData !== undefined) data.oauthTokenData = oauthTokenData;
		await this.updateCredentials(details, type, data);
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		const { properties = [], extends: parents } = types[type] ?? {};
		const all = parents ? [...inherited] : [];
		NodeHelpers.mergeNodeProperties(all, properties);
		return all;
	}
}

export const credentials = new MemoryCredentials();
