import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { recipes } from '../../host/installation';
import { preparedN8n } from '../support/n8n/n8n';
import { chart } from './compare/chart';
import {
	forFewer,
	list,
	register,
	registerInTrouble,
	withoutLimit,
	type Task,
} from './compare/contenders';
import { startRealN8n } from './compare/inN8n';
import { inEngine, measure, type Measured } from './compare/measure';

/**
 * The same tasks with this node, with n8n's own nodes and with a script, each in a process of its own against a sandbox of
 * its own: `list`, `register`, `trouble`, or all three; `resources`: what 100,000 records and people cost where the platform
 * slows nobody down, each three times. A number sets how many people, `x3` how many times each is measured. `n8n` runs the
 * workflows in a real n8n instead of its engine alone, each three times, and the slowest for fewer people; `chart` writes the
 * picture of the page of benchmarks.
 */
export async function run(words: string[]): Promise<void> {
	const isCounted = words.includes('resources');
	// Nobody can tell what a process of n8n takes for the workflow alone.
	const isReal = words.includes('n8n') && !isCounted;
	const tasks = tasksOf(words).map((task) => (isReal ? forFewer(task) : task));
	const usual = isReal || isCounted ? 3 : 1;
	const times = Number(words.find((word) => /^x\d+$/.test(word))?.slice(1) ?? usual);
	const installation = await preparedN8n(recipes.current);
	const real = isReal ? await startRealN8n() : null;
	const runWorkflow = real?.runWorkflow ?? inEngine(installation);
	const all: Measured[] = [];
	try {
		for (const task of tasks) {
			const each = task.contenders.map((contender) => ({ contender, measured: [] as Measured[] }));
			// The contenders take turns, so that a slow time of this machine does not fall on one of them alone.
			for (let time = 0; time < times; time++) {
				for (const { contender, measured } of each) {
					measured.push(await measure(task, contender, installation, runWorkflow));
				}
			}
			const sorted = each.map(({ measured }) =>
				measured.sort((first, second) => first.cost.seconds - second.cost.seconds),
			);
			console.log(`\n${task.name}\n\n${[...heading, ...sorted.map(row)].join('\n')}`);
			all.push(...sorted.map(middle));
		}
	} finally {
		await real?.stop();
	}
	if (words.includes('chart')) {
		writeFileSync(resolve(__dirname, '../../docs/images/comparison.svg'), chart(all));
	}
}

function tasksOf(words: string[]): Task[] {
	const number = words.find((word) => /^\d+$/.test(word));
	if (words.includes('resources')) return withoutLimit(Number(number ?? 100_000));
	const count = Number(number ?? 1_000);
	const trouble = registerInTrouble(count);
	const tasks = Object.entries({ list: list(count * 2), register: register(count), trouble });
	const named = tasks.filter(([name]) => words.includes(name));
	return (named.length > 0 ? named : tasks).map(([, task]) => task);
}

const heading = [
	'| With | Seconds | Least to most | Requests | 429 | Wrong | Unknown | Nodes | CPU s | Memory MB |',
	'| --- | --: | --- | --: | --: | --: | --: | --: | --: | --: |',
];

/** Gives the one with the middle seconds among several measurements of the same. */
function middle(sorted: readonly Measured[]): Measured {
	const median = sorted[sorted.length >> 1];
	if (!median) throw new Error('Nothing was measured');
	return median;
}

function row(sorted: readonly Measured[]): string {
	const { contender, cost, requests, refused, wrong, unknown, nodes, error } = middle(sorted);
	const figure = (value: number, digits: number) =>
		Number.isNaN(value) ? '–' : value.toFixed(digits);
	const cells = [
		contender,
		figure(cost.seconds, 1),
		[sorted[0], sorted.at(-1)]
			.map((measurement) => measurement?.cost.seconds.toFixed(1))
			.join(' to '),
		requests,
		refused,
		wrong,
		unknown,
		nodes ?? '–',
		figure(cost.cpuSeconds, 1),
		figure(cost.peakMb, 0),
	];
	return `| ${cells.join(' | ')} |${error === undefined ? '' : `\nended with: ${error}`}`;
}
