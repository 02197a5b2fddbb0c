import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from './cache';
import type { Login } from './editor';

/** Where one started n8n and its platform keep what they know. */
export interface Home {
	folder: string;
	login: Login;
	/** Removes what a check left; keeps what a person may want to come back to. */
	leave(): Promise<void>;
}

/** Kept from start to start, one per port. */
export async function keptHome(port: number, fresh: boolean): Promise<Home> {
	const folder = join(cacheFolder, `start-${port}`);
	if (fresh) await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	return { folder, login: await loginOf(folder), leave: () => Promise.resolve() };
}

export async function passingHome(): Promise<Home> {
	const folder = await mkdtemp(join(tmpdir(), 'event-platform-check-'));
	const leave = () => rm(folder, { recursive: true, force: true });
	return { folder, login: await loginOf(folder), leave };
}

/** The password is made up once per folder; the file can be read by its owner only. */
async function loginOf(folder: string): Promise<Login> {
	const file = join(folder, 'login.json');
	try {
		return JSON.parse(await readFile(file, 'utf8')) as Login;
	} catch {
		// The ending satisfies n8n: a capital letter and a digit.
		const password = `${randomBytes(9).toString('base64url')}-A1`;
		const login = { email: 'owner@example.com', password };
		await writeFile(file, JSON.stringify(login), { mode: 0o600 });
		return login;
	}
}
