import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from './cache';
import type { Login } from './editor';

/** The folder with the data of one n8n and its platform. */
export interface Home {
	folder: string;
	login: Login;
	/** Removes the folder of a check; a kept one stays. */
	cleanUp(): Promise<void>;
}

/** Kept from start to start, one per port. */
export async function keptHome(port: number, fresh: boolean): Promise<Home> {
	const folder = join(cacheFolder, `start-${port}`);
	if (fresh) await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await makePrivate(folder);
	return { folder, login: await loginOf(folder), cleanUp: () => Promise.resolve() };
}

/** Tokens and passwords are in it: its owner alone may read it, also where an earlier start made it for everybody. */
async function makePrivate(folder: string): Promise<void> {
	await chmod(folder, 0o700);
	for (const file of await readdir(folder, { withFileTypes: true })) {
		if (file.isFile()) await chmod(join(folder, file.name), 0o600);
	}
}

export async function temporaryHome(): Promise<Home> {
	const folder = await mkdtemp(join(tmpdir(), 'event-platform-check-'));
	const cleanUp = () => rm(folder, { recursive: true, force: true });
	return { folder, login: await loginOf(folder), cleanUp };
}

/** The folder for files that workflows write, which is made if it is missing. */
export async function filesFolder(home: string): Promise<string> {
	const folder = join(home, 'files');
	await mkdir(folder, { recursive: true });
	return folder;
}

/** The password is made up once per folder; the file can be read by its owner only. */
async function loginOf(folder: string): Promise<Login> {
	const file = join(folder, 'login.json');
	try {
		return JSON.parse(await readFile(file, 'utf8')) as Login;
	} catch {
		// n8n wants a capital letter and a digit.
		const password = `${randomBytes(9).toString('base64url')}-A1`;
		const login = { email: 'owner@example.com', password };
		await writeFile(file, JSON.stringify(login), { mode: 0o600 });
		return login;
	}
}
