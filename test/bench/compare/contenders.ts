import type { Workflow } from '../../../host/editor';
import {
	bulkByHand,
	bulkMappedAutomatically,
	bulkWithThisNode,
	listWithHttpRequest,
	listWithThisNode,
	oneByOne,
	type Platform,
} from './workflows';

/** The work that `script.ts` has to do. */
export interface Script {
	script: 'list' | 'register';
	/** How long it waits before it asks for a job. */
	pollSeconds?: number;
}

export interface Contender {
	name: string;
	built: ((platform: Platform) => Workflow) | Script;
	/** How many people it gets, where it cannot get as many as the others. */
	count?: number;
}

export interface Task {
	name: string;
	kind: 'list' | 'register';
	/** Records to list, or people to register. */
	count: number;
	badShare?: number;
	failingShare?: number;
	/** Neither a limit nor a slow line, and jobs that are over at once: what is left is the work. */
	isUnlimited?: boolean;
	contenders: Contender[];
}

const slowest = 'HTTP Request, one by one';

export function list(count: number): Task {
	const contenders: Contender[] = [
		{ name: 'This node', built: listWithThisNode },
		{ name: 'HTTP Request, its pagination', built: listWithHttpRequest },
		{ name: 'axios script', built: { script: 'list' } },
	];
	return { name: `List ${count.toLocaleString('en')} records`, kind: 'list', count, contenders };
}

export function register(count: number): Task {
	const name = `Register ${count.toLocaleString('en')} people`;
	const contenders: Contender[] = [
		{ name: 'This node', built: bulkWithThisNode },
		{ name: 'HTTP Request, bulk by hand', built: bulkByHand },
		{ name: slowest, built: oneByOne },
		{ name: 'axios script', built: { script: 'register' } },
	];
	return { name, kind: 'register', count, contenders };
}

export const registerInTrouble = (count: number): Task => ({
	...register(count),
	name: `${register(count).name}, 5 % of them bad, 2 % of the requests a 502`,
	badShare: 0.05,
	failingShare: 0.02,
});

/** A thousand people one by one take more than seven minutes each time, so that they are given a tenth. */
export function forFewer(task: Task): Task {
	const count = Math.ceil(task.count / 10);
	const contenders = task.contenders.map((contender) =>
		contender.name === slowest
			? { ...contender, name: `${contender.name} (${count} people)`, count }
			: contender,
	);
	return { ...task, contenders };
}

/** Jobs are over at once, and the script asks for them soon. */
export const withoutLimit = (count: number): Task[] => [
	{ ...list(count), isUnlimited: true },
	{
		...register(count),
		isUnlimited: true,
		contenders: [
			{ name: 'This node', built: bulkWithThisNode },
			{ name: 'This node, mapped automatically', built: bulkMappedAutomatically },
			{ name: 'axios script', built: { script: 'register', pollSeconds: 0.02 } },
		],
	},
];
