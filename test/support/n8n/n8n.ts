import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addConnector } from '../../../host/connector';
import { Editor } from '../../../host/editor';
import { prepareN8n, recipes, type Installation } from '../../../host/installation';
import { startN8n, type N8n } from '../../../host/n8n';
import { freePort } from '../../../host/ports';
import { progressOn } from '../../../host/progress';

export const owner = { email: 'owner@example.com', password: 'Only-for-tests-1' };

export function preparedN8n(recipe: string): Promise<Installation> {
	return prepareN8n(recipe, progressOn(process.stderr));
}

/** A folder in which n8n keeps what it knows. */
export interface UserFolder {
	userFolder: string;
	remove(): Promise<void>;
}

export interface TestedN8n {
	n8n: N8n;
	/** Signed in as the owner. */
	editor: Editor;
	installation: Installation;
	userFolder: string;
	/** Where this n8n has the platform send people back to after the consent. */
	redirectUri: string;
	close(): Promise<void>;
}

/** A fresh n8n with the packed connector installed and an owner signed in. */
export async function startTestedN8n({
	environment,
	port,
}: { environment?: Record<string, string>; port?: number } = {}): Promise<TestedN8n> {
	const installation = await preparedN8n(recipes.current);
	const { userFolder, remove } = await userFolderWithConnector();
	const listening = port ?? (await freePort());
	const n8n = await startN8n(installation, {
		userFolder,
		port: listening,
		...(environment && { environment }),
	});
	const editor = new Editor(n8n.url);
	await editor.ensureOwner(owner);
	await editor.signIn(owner);
	return {
		n8n,
		editor,
		installation,
		userFolder,
		redirectUri: `http://localhost:${listening}/rest/oauth2-credential/callback`,
		close: async () => {
			await n8n.stop();
			await remove();
		},
	};
}

/** A copy of the folder that was made before the tests (`downloads.ts`), if one was. */
export async function userFolderWithConnector(): Promise<UserFolder> {
	const userFolder = await mkdtemp(join(tmpdir(), 'event-platform-n8n-'));
	const made = process.env.EVENT_PLATFORM_USER_FOLDER;
	if (made === undefined) await addConnector(userFolder);
	else await cp(made, userFolder, { recursive: true });
	return { userFolder, remove: () => rm(userFolder, { recursive: true, force: true }) };
}
