import { mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Outside the checkout, so that a second clone finds what the first one downloaded. */
export const cacheFolder: string =
	process.env.EVENT_PLATFORM_CACHE ??
	join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'n8n-nodes-event-platform');

const staleAfterMs = 60_000;

/** Runs `work` while no other program holds the lock file; calls `onWait` once when it has to wait. */
export async function withLock<T>(
	lockFile: string,
	onWait: () => void,
	work: () => Promise<T>,
): Promise<T> {
	await mkdir(join(lockFile, '..'), { recursive: true });
	for (let attempt = 1; !(await tryToLock(lockFile)); attempt++) {
		if (attempt === 1) onWait();
		await sleep(1_000);
	}
	// A program that was killed cannot remove its lock: the file then gets older than the limit.
	const renewal = setInterval(() => void touch(lockFile), staleAfterMs / 6);
	try {
		return await work();
	} finally {
		clearInterval(renewal);
		await rm(lockFile, { force: true });
	}
}

async function tryToLock(lockFile: string) {
	try {
		const file = await open(lockFile, 'wx');
		await file.writeFile(String(process.pid));
		await file.close();
		return true;
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
		if (await isAbandoned(lockFile)) await rm(lockFile, { force: true });
		return false;
	}
}

async function isAbandoned(lockFile: string) {
	try {
		if (Date.now() - (await stat(lockFile)).mtimeMs > staleAfterMs) return true;
		const holder = Number(await readFile(lockFile, 'utf8'));
		return holder > 0 && !isRunning(holder);
	} catch {
		return false; // Released in between.
	}
}

function isRunning(pid: number) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

async function touch(file: string) {
	const now = new Date();
	await utimes(file, now, now).catch(() => undefined);
}
