import { outcomesOf } from '../../nodes/EventPlatform/core/registration/runOutcome';
import { collectGarbage } from './garbage';
import { someRows, simulateRun } from '../support/runs/simulation';

const sizes = [1_000, 10_000, 100_000, 1_000_000];
const run = { maxWaitSeconds: 1e9 };

/** The engine with the product's pace against the model: what does one more person cost? */
export async function benchClock(): Promise<void> {
	console.log('Virtual clock, 5 requests a second, latency 100 to 400 ms, jobs of 1 s');
	console.log('   people  requests  requests/person  seconds/person  CPU us/person  bytes/person');
	await cpu(10_000);
	for (const size of sizes) {
		const { requests, seconds, microseconds } = await cpu(size);
		const bytes = await memory(size);
		const columns = [
			String(size).padStart(9),
			String(requests).padStart(9),
			(requests / size).toFixed(4).padStart(16),
			(seconds / size).toFixed(5).padStart(15),
			(microseconds / size).toFixed(1).padStart(14),
			(bytes / size).toFixed(0).padStart(13),
		];
		console.log(columns.join(' '));
	}
	console.log('bytes/person: the most in use while it runs, beyond input and output (goal: 1,000)');
}

async function cpu(size: number) {
	const people = someRows(size);
	const before = process.cpuUsage();
	const { report, durationMs } = await simulateRun(people, { platform: { forgets: true }, run });
	const { user, system } = process.cpuUsage(before);
	const registered = outcomesOf(report).filter(({ status }) => status === 'registered').length;
	if (registered !== size) throw new Error(`${registered} of ${size} people were registered`);
	return {
		requests: report.requests,
		seconds: durationMs / 1_000,
		microseconds: user + system,
	};
}

/** Samples what is alive during the run; in the end only input and output are. */
async function memory(size: number): Promise<number> {
	const people = someRows(size);
	let most = 0;
	let answers = 0;
	const sampleEvery = Math.max(1, Math.floor(size / 25 / 20));
	const onAnswer = () => {
		answers += 1;
		if (answers % sampleEvery === 0) most = Math.max(most, alive());
	};
	const platform = { forgets: true };
	const { report } = await simulateRun(people, { platform, run, onAnswer });
	const left = alive();
	if (outcomesOf(report).length !== people.length) throw new Error('Somebody was lost');
	return Math.max(0, most - left);
}

function alive(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed;
}
