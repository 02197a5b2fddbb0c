// All that must hold before the suites run. The lint takes about as long as all the rest, so it runs beside it.
import { spawn } from 'node:child_process';
import { root } from './root.mjs';

/** The commands of a lane run one after the other, and the lanes beside each other. */
const lanes = [
	['npm run --silent lint'],
	['prettier --check --cache --log-level=warn .', 'tsc', 'npm run --silent build'],
];

// Both lanes come to their end, so that nothing is still printed after the prompt, and every fault is told at once.
const outcomes = await Promise.all(lanes.map(isLaneGreen));
process.exit(outcomes.every(Boolean) ? 0 : 1);

async function isLaneGreen(commands) {
	for (const command of commands) {
		if ((await exitCodeOf(command)) !== 0) return false;
	}
	return true;
}

function exitCodeOf(command) {
	return new Promise((resolve) => {
		spawn(command, { cwd: root, shell: true, stdio: 'inherit' }).on('close', resolve);
	});
}
