import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node.js';
import { seededId } from '../../sandbox/seed/ids';
import { runWorkflow, tokenCredential } from '../support/engine';
import { storeFilesIn } from '../support/engineFiles';
import { startSandboxProcess } from './sandboxProcess';

const gigabyte = 1024 ** 3;
const mebibyte = 1024 ** 2;
const mostMebibytes = 150;

/** Downloads a recording inside n8n's engine, binary data as files: how much memory does it take besides? */
export async function run(words: string[]): Promise<void> {
	const bytes = Number(words[0] ?? gigabyte);
	const sandbox = await startSandboxProcess(['--recording-bytes', String(bytes), '--rate', '0']);
	const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
	try {
		const pathOf = await storeFilesIn(folder);
		const before = process.memoryUsage.rss();
		let most = before;
		const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
		const started = performance.now();
		const { items, error } = await runWorkflow({
			node: new EventPlatform(),
			parameters: {
				resource: 'session',
				operation: 'downloadRecording',
				sessionId: { __rl: true, mode: 'id', value: seededId('session', 5) },
			},
			credential: tokenCredential(sandbox),
		});
		const seconds = (performance.now() - started) / 1_000;
		clearInterval(watch);
		if (error) throw error;
		const { size } = statSync(pathOf(items[0]?.binary?.data?.id ?? ''));
		report(bytes, size, (most - before) / mebibyte, seconds);
	} finally {
		await sandbox.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

function report(bytes: number, stored: number, memory: number, seconds: number): void {
	const verdict = stored === bytes && memory <= mostMebibytes ? 'met' : 'MISSED';
	console.log(
		[
			`${(bytes / mebibyte).toFixed(0)} MiB as a file of n8n, in ${seconds.toFixed(1)} s`,
			`stored        ${stored} of ${bytes} bytes`,
			`memory        ${memory.toFixed(0)} MiB more at most (goal at most ${mostMebibytes})`,
			`goals         ${verdict}`,
		].join('\n'),
	);
	if (verdict !== 'met') process.exitCode = 1;
}
