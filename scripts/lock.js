// A lock between programs, as a file. `prepare.mjs` takes it before any package is there, so it needs none.
const { mkdir, open, readFile, rm, stat, utimes } = require('node:fs/promises');
const { dirname } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

const staleAfterMs = 60_000;

/** Runs `work` while no other program holds the lock file; calls `onWait` once when it has to wait. */
async function withLock(lockFile, onWait, work) {
	await mkdir(dirname(lockFile), { recursive: true });
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

async function tryToLock(lockFile) {
	try {
		const file = await open(lockFile, 'wx');
		await file.writeFile(String(process.pid));
		await file.close();
		return true;
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
		if (await isAbandoned(lockFile)) await rm(lockFile, { force: true });
		return false;
	}
}

async function isAbandoned(lockFile) {
	try {
		if (Date.now() - (await stat(lockFile)).mtimeMs > staleAfterMs) return true;
		const holder = Number(await readFile(lockFile, 'utf8'));
		return holder > 0 && !isRunning(holder);
	} catch {
		return false; // Released in between.
	}
}

function isRunning(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

async function touch(file) {
	const now = new Date();
	await utimes(file, now, now).catch(() => undefined);
}

module.exports = { withLock };
