import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { recipes, testedN8n } from '../../../host/installation';
import { npm } from '../../../host/npm';
import { preparedN8n, userFolderWithConnector } from './n8n';

const needed: Record<string, readonly string[]> = {
	e2e: [recipes.current],
	scale: [recipes.current],
	compatibility: testedN8n,
};

/**
 * Before the tests of a project: the download takes longer than the time limit of a test, and the connector is built,
 * packed and installed once for all of them.
 */
export default async function prepare(_: unknown, { id }: { id: string }): Promise<void> {
	await npm(resolve(__dirname, '../../..'), ['run', 'build'], 'Building the connector');
	await Promise.all((needed[id] ?? []).map(preparedN8n));
	const { userFolder } = await userFolderWithConnector();
	process.env.EVENT_PLATFORM_USER_FOLDER = userFolder;
	process.once('exit', () => rmSync(userFolder, { recursive: true, force: true }));
}
