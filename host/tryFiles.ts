// Writes what try.yaml imports into n8n: a credential of the sandbox, the workflow of docs/try-it.md and the examples, as somebody
// would prepare them: npx tsx host/tryFiles.ts <folder> <address of the sandbox>
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededId } from '../sandbox/seed/ids';
import type { SavedCredential, Workflow } from './editor';
import { prepared, readExamples, tokenType } from './provision';
import { UserError } from './userError';

/** The sessions of every new sandbox that the workflows of `npm start` use, too. */
const session = { id: seededId('session', 1), name: 'Upcoming session of the sandbox' };
const from = { id: seededId('session', 5), name: 'Held session of the sandbox' };
/** n8n's image may write files there. */
const folder = '/home/node/.n8n-files';

const firstList = 'first-list';

export interface TryFiles {
	credentials: SavedCredential[];
	workflows: Workflow[];
}

export async function tryFiles(baseUrl: string): Promise<TryFiles> {
	const credential = {
		id: 'sandbox',
		name: 'Event Platform (API token)',
		type: tokenType,
		data: { baseUrl, apiToken: 'sandbox-token' },
	};
	const workflows = [await workflowOfPage(), ...(await readExamples())].map((workflow, index) => ({
		...prepared(workflow, { credentials: [credential], session, from, folder }),
		id: index === 0 ? firstList : `example-${index}`,
		active: false,
	}));
	return { credentials: [credential], workflows };
}

/** What docs/try-it.md tells people to paste. */
async function workflowOfPage(): Promise<Workflow> {
	const page = await readFile(join(__dirname, '../docs/try-it.md'), 'utf8');
	const [, workflow = ''] = /```json\n([\s\S]+?)\n```/.exec(page) ?? [];
	const pasted = JSON.parse(workflow) as Pick<Workflow, 'nodes' | 'connections'>;
	return { ...pasted, name: 'Your first list' };
}

async function main([target = '', baseUrl = '']: string[]): Promise<void> {
	if (baseUrl === '') throw new UserError('Name a folder and the address of the sandbox.');
	const { credentials, workflows } = await tryFiles(baseUrl);
	await writeFile(join(target, 'credentials.json'), JSON.stringify(credentials));
	await writeFile(join(target, 'workflows.json'), JSON.stringify(workflows));
}

if (require.main === module) void main(process.argv.slice(2));
