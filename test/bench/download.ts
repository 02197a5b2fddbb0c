import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// The ending is named because Node would otherwise take EventPlatform.node.json, which stands beside it.
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node.js';
import { seededId } from '../../sandbox/seed/ids';
import { runWorkflow } from '../support/n8n/engine';
import { storeFilesIn } from '../support/n8n/engineFiles';
import { costOf } from './cost';
import { startSandboxProcess } from './processes';
import { tokenCredential } from '../support/n8n/engineConsent';

const goalMb = 150;

/** Downloads a recording inside n8n's engine, binary data as files: how much memory does it take besides? */
export async function run([bytes = String(1024 ** 3)]: string[]): Promise<void> {
	const sandbox = await startSandboxProcess(['--recording-bytes', bytes, '--rate', '0']);
	const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
	try {
		const pathOf = await storeFilesIn(folder);
		const sessionId = { __rl: true, mode: 'id', value: seededId('session', 5) };
		const parameters = { resource: 'session', operation: 'downloadRecording', sessionId };
		const scene = { node: new EventPlatform(), parameters, credential: tokenCredential(sandbox) };
		const { result, cost } = await costOf(() => runWorkflow(scene));
		if (result.error) throw result.error;
		const { size } = statSync(pathOf(result.items[0]?.binary?.data?.id ?? ''));
		const isMet = size === Number(bytes) && cost.peakMb <= goalMb;
		console.log(`${size} of ${bytes} bytes as a file of n8n, in ${cost.seconds.toFixed(1)} s`);
		console.log(`memory  ${cost.peakMb.toFixed(0)} MB more at most (goal at most ${goalMb})`);
		console.log(`goals   ${isMet ? 'met' : 'MISSED'}`);
		if (!isMet) process.exitCode = 1;
	} finally {
		await sandbox.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}
