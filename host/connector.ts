import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packedIn } from '../scripts/packed';
import { npm } from './npm';

const checkout = resolve(__dirname, '..');

/** Packs the built connector as it would be published; gives the tarball's path. */
export async function packConnector(folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	const printed = await npm(
		checkout,
		['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder],
		'Packing the connector',
	);
	return join(folder, packedIn(printed).filename);
}

/** Installs the tarball the way n8n keeps community nodes. */
async function installConnector(tarball: string, userFolder: string): Promise<void> {
	const nodes = join(userFolder, '.n8n/nodes');
	await mkdir(nodes, { recursive: true });
	// Otherwise npm keeps what is installed when the version is the same.
	await rm(join(nodes, 'node_modules'), { recursive: true, force: true });
	await rm(join(nodes, 'package-lock.json'), { force: true });
	const flags = [
		'--omit=peer',
		'--legacy-peer-deps',
		'--ignore-scripts',
		'--no-audit',
		'--no-fund',
	];
	await npm(nodes, ['install', ...flags, '--loglevel=error', tarball], 'Installing the connector');
}

/** Packs and installs in one go. */
export async function addConnector(userFolder: string): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'event-platform-'));
	try {
		await installConnector(await packConnector(folder), userFolder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
