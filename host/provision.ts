import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CREDENTIAL_BLANKING_VALUE } from 'n8n-workflow';
import { connect, isConnected } from './connect';
import type { Session } from './platform';
import type { Editor, SavedCredential, Workflow, WorkflowNode } from './editor';

export interface PlatformAccess {
	baseUrl: string;
	authServerUrl: string;
	apiToken: string;
	clientId: string;
	clientSecret: string;
}

export const oAuthType = 'eventPlatformOAuth2Api';
export const tokenType = 'eventPlatformApi';
const examplesFolder = resolve(__dirname, '../examples');

export interface Provisioned {
	credentials: SavedCredential[];
	workflows: Workflow[];
}

/** Both credentials and every example, ready to run on the sandbox. */
export async function provision(
	editor: Editor,
	platform: PlatformAccess,
	chosen: Omit<Choices, 'credentials'>,
): Promise<Provisioned> {
	const { token, oAuth } = await provisionCredentials(editor, platform);
	const credentials = [token, oAuth];
	const workflows = [];
	for (const example of await readExamples()) {
		workflows.push(await ensureWorkflow(editor, prepared(example, { ...chosen, credentials })));
	}
	return { credentials, workflows };
}

export async function verify(editor: Editor, { credentials }: Provisioned): Promise<void> {
	for (const credential of credentials) {
		if (!(await works(editor, credential))) throw new Error(`"${credential.name}" does not work.`);
	}
}

/** The credentials that the examples use. */
export interface ProvisionedCredentials {
	/** Signs in with the API token. */
	token: SavedCredential;
	/** Is connected to an account by OAuth2. */
	oAuth: SavedCredential;
}

/** Both credentials, with the sandbox's addresses; the OAuth one connected. What is there already stays as it is. */
export async function provisionCredentials(
	editor: Editor,
	platform: PlatformAccess,
): Promise<ProvisionedCredentials> {
	const { baseUrl, authServerUrl, apiToken, clientId, clientSecret } = platform;
	const oAuth = await sandboxCredential(editor, {
		name: 'Event Platform (OAuth2)',
		type: oAuthType,
		addresses: { baseUrl, authServerUrl },
		secrets: { clientId, clientSecret },
	});
	// The last, because n8n proposes the latest for a new node.
	const token = await sandboxCredential(editor, {
		name: 'Event Platform (API token)',
		type: tokenType,
		addresses: { baseUrl },
		secrets: { apiToken },
	});
	return { token, oAuth };
}

interface SandboxCredential {
	name: string;
	type: string;
	/** Where it leads, by the fields of the credential. */
	addresses: Record<string, string>;
	secrets: Record<string, string>;
}

/** A credential that leads elsewhere has become somebody's own: it stays as it is, and another one is made. */
async function sandboxCredential(
	editor: Editor,
	{ name, type, addresses, secrets }: SandboxCredential,
): Promise<SavedCredential> {
	const ofType = (await savedCredentials(editor)).filter((saved) => saved.type === type);
	for (const saved of ofType.filter((credential) => credential.name.startsWith(name))) {
		const { data = {} } = await readCredential(editor, saved);
		const isThere = Object.entries(addresses).every(([field, address]) => data[field] === address);
		if (isThere) return saved;
	}
	const isTaken = ofType.some((saved) => saved.name === name);
	const made = await editor.post<SavedCredential>('/rest/credentials', {
		name: isTaken ? `${name}, ${addresses.baseUrl}` : name,
		type,
		data: { ...addresses, ...secrets },
	});
	if (type === oAuthType) await connect(editor, made.id);
	return made;
}

/** Saves a credential; one of this name and type gets these values. */
export async function ensureCredential(
	editor: Editor,
	credential: Omit<SavedCredential, 'id'>,
): Promise<SavedCredential> {
	const saved = await savedCredentials(editor);
	const same = saved.find(({ name, type }) => name === credential.name && type === credential.type);
	return same
		? editor.patch<SavedCredential>(`/rest/credentials/${same.id}`, credential)
		: editor.post<SavedCredential>('/rest/credentials', credential);
}

const savedCredentials = (editor: Editor) => editor.get<SavedCredential[]>('/rest/credentials');

/** With its values; the secrets among them come redacted. */
function readCredential(editor: Editor, { id }: SavedCredential): Promise<SavedCredential> {
	return editor.get<SavedCredential>(`/rest/credentials/${id}?includeData=true`);
}

/** The verdict of n8n on a credential that it has tested. */
export interface CredentialVerdict {
	status: 'OK' | 'Error';
	message: string;
}

/** Asks n8n to run the credential's own test, with these values in the place of what is stored. */
export async function verdictOn(
	editor: Editor,
	credential: SavedCredential,
	changes: Record<string, unknown> = {},
): Promise<CredentialVerdict> {
	// n8n puts the stored values back in.
	const saved = await readCredential(editor, credential);
	const data = { ...saved.data, ...changes };
	// n8n says of a connection only that there is one, and does not put its token back in for that.
	if (data.oauthTokenData) data.oauthTokenData = CREDENTIAL_BLANKING_VALUE;
	return await editor.post<CredentialVerdict>('/rest/credentials/test', {
		credentials: { ...saved, data },
	});
}

/** Whether the credential is connected, where it has to be, and passes its own test. */
export async function works(editor: Editor, credential: SavedCredential): Promise<boolean> {
	if (credential.type === oAuthType && !(await isConnected(editor, credential.id))) return false;
	const { status } = await verdictOn(editor, credential);
	return status === 'OK';
}

export async function readExamples(): Promise<Workflow[]> {
	const files = (await readdir(examplesFolder)).filter((name) => name.endsWith('.json')).sort();
	return Promise.all(files.map(readExample));
}

export async function readExample(file: string): Promise<Workflow> {
	return JSON.parse(await readFile(join(examplesFolder, file), 'utf8')) as Workflow;
}

/** Imports a workflow unless there is one of that name, which a person may have changed. */
export async function ensureWorkflow(editor: Editor, workflow: Workflow): Promise<Workflow> {
	const saved = await editor.get<Array<{ id: string; name: string }>>('/rest/workflows');
	const same = saved.find(({ name }) => name === workflow.name);
	return same
		? editor.get<Workflow>(`/rest/workflows/${same.id}`)
		: editor.post<Workflow>('/rest/workflows', workflow);
}

/** What a person would choose in an example. */
export interface Choices {
	credentials: SavedCredential[];
	session: Session;
	/** The session whose people are moved to the other one. */
	from: Session;
	/** A folder for files, in place of the one that n8n may write to in its Docker image. */
	folder: string;
}

/** The words in an example that stand where a person writes a part of the title of the webinars. As they are, no webinar matches. */
export const titleToWrite = 'part of the title';

const dockerFolder = '/home/node/.n8n-files';

/** Fills in what a person would choose: the credential of each node that needs one, and sessions, titles and folders where none is chosen. */
export function prepared(
	workflow: Workflow,
	{ credentials, session, from, folder }: Choices,
	credentialTypeOf: (node: WorkflowNode) => string | undefined = ownCredentialType,
): Workflow {
	const movesPeople = workflow.nodes.some(({ parameters }) => parameters.operation === 'sync');
	const choose = (node: WorkflowNode): WorkflowNode => {
		const type = credentialTypeOf(node);
		const credential = credentials.find((saved) => saved.type === type);
		const isFrom = movesPeople && node.parameters.operation === 'getPeople';
		const choices = { [titleToWrite]: '', [dockerFolder]: folder };
		const parameters = withSession(replaced(node.parameters, choices), isFrom ? from : session);
		if (!credential) return { ...node, parameters };
		const { id, name } = credential;
		return { ...node, parameters, credentials: { [credential.type]: { id, name } } };
	};
	return { ...workflow, nodes: workflow.nodes.map(choose) };
}

/** A copy with other words in all of its texts. Notes keep them, because they say what to write there. */
function replaced(parameters: Record<string, unknown>, choices: Record<string, string>) {
	if ('content' in parameters) return parameters;
	const choose = (_: string, value: unknown) =>
		typeof value === 'string'
			? Object.entries(choices).reduce((text, [old, own]) => text.replaceAll(old, own), value)
			: value;
	return JSON.parse(JSON.stringify(parameters), choose) as Record<string, unknown>;
}

/** The type of credential that the connector's nodes ask for at first; those of other nodes are not known here. */
export function ownCredentialType({ type }: WorkflowNode): string | undefined {
	return type.startsWith('n8n-nodes-event-platform.') ? tokenType : undefined;
}

function withSession(parameters: Record<string, unknown>, session: Session) {
	const locator = parameters.sessionId;
	const open =
		typeof locator === 'object' && locator !== null && 'value' in locator && !locator.value;
	if (!open) return parameters;
	const sessionId = { __rl: true, mode: 'list', value: session.id, cachedResultName: session.name };
	return { ...parameters, sessionId };
}
