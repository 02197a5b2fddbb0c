import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const runs = 9;
const root = join(__dirname, '../..');

/** What n8n does with the package when it starts, and then with the node when it first runs. */
const program = `
	const core = require('n8n-core');
	const loader = new core[process.argv[1]](${JSON.stringify(root)});
	const costOf = async (work) => {
		gc();
		const cpu = process.cpuUsage();
		const { heapUsed } = process.memoryUsage();
		await work();
		const { user, system } = process.cpuUsage(cpu);
		gc();
		return [(user + system) / 1_000, (process.memoryUsage().heapUsed - heapUsed) / 1e6];
	};
	(async () => {
		const start = await costOf(async () => {
			await loader.loadAll();
			for (const name of Object.keys(loader.known.credentials)) loader.getCredential(name);
		});
		const use = await costOf(async () => loader.getNode('eventPlatform'));
		console.log(JSON.stringify([...start, ...use]));
	})();
`;

/** The CPU time and the memory of n8n's start, with the files of the build and without them. */
export function run(): void {
	const title = ['CPU ms at the start', 'MB', 'CPU ms at first use', 'MB'];
	console.log(`${''.padEnd(28)}${title.join('   ')}`);
	for (const loader of ['PackageDirectoryLoader', 'LazyPackageDirectoryLoader']) {
		const figures = Array.from({ length: runs }, () => measured(loader));
		const medians = title.map((_, column) => median(figures.map((row) => row[column] ?? NaN)));
		const cells = medians.map((value, column) =>
			value.toFixed(1).padStart(title[column]?.length ?? 0),
		);
		console.log(`${loader.padEnd(28)}${cells.join('   ')}`);
	}
}

function measured(loader: string) {
	const words = ['--expose-gc', '-e', program, loader];
	return JSON.parse(
		execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' }),
	) as number[];
}

function median(values: number[]) {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
