import type { Workflow } from '../../../host/editor';
import {
	bulkByHand,
	bulkMappedAutomatically,
	bulkWithThisNode,
	listWithHttpRequest,
	listWithThisNode,
	oneByOne,
	scriptInN8n,
	type Platform,
} from './workflows';

export interface Contender {
	name: string;
	/** A workflow in n8n's engine, or what the script has to do. */
	built:
		| { workflow: (platform: Platform) => Workflow }
		| { script: 'list' | 'register'; pollSeconds?: number };
	/** How many people it gets, where it cannot get as many as the others. */
	count?: number;
}

export interface Task {
	name: string;
	/** Records to list, or people to register. */
	count: number;
	badShare: number;
	failingShare: number;
	/** Neither a limit nor a slow line, and jobs that are over at once: what is left is the work. */
	isUnlimited?: boolean;
	contenders: Contender[];
}

const slowest = 'HTTP Request, one by one';

const registering: Contender[] = [
	{ name: 'This node', built: { workflow: bulkWithThisNode } },
	{ name: 'HTTP Request, bulk by hand', built: { workflow: bulkByHand } },
	{ name: slowest, built: { workflow: oneByOne } },
	{ name: 'axios script', built: { script: 'register' } },
];

export const list = (count: number): Task => ({
	name: `List ${count.toLocaleString('en')} records`,
	count,
	badShare: 0,
	failingShare: 0,
	contenders: [
		{ name: 'This node', built: { workflow: listWithThisNode } },
		{ name: 'HTTP Request, its pagination', built: { workflow: listWithHttpRequest } },
		{ name: 'axios script', built: { script: 'list' } },
	],
});

export const register = (count: number): Task => ({
	name: `Register ${count.toLocaleString('en')} people`,
	count,
	badShare: 0,
	failingShare: 0,
	contenders: registering,
});

export const registerInTrouble = (count: number): Task => ({
	...register(count),
	name: `Register ${count.toLocaleString('en')} people, 5 % of them bad, 2 % of the requests a 502`,
	badShare: 0.05,
	failingShare: 0.02,
});

/** A thousand people one by one take more than seven minutes each time, so that they are given a tenth. */
export function forFewer(task: Task): Task {
	const count = Math.ceil(task.count / 10);
	const contenders = task.contenders.map((one) =>
		one.name === slowest ? { ...one, name: `${one.name} (${count} people)`, count } : one,
	);
	return { ...task, contenders };
}

/** Jobs are over at once, and soon asked for. */
const pollSeconds = 0.02;
/** Gives the records of this node's items, with no more than it has to do for it. */
const script = (name: 'list' | 'register'): Contender[] => [
	{ name: 'The script inside a node', built: { workflow: scriptInN8n(name, pollSeconds) } },
	{ name: 'axios script', built: { script: name, pollSeconds } },
];

/** This node first, a script with the same result last, and before it that script inside n8n: what n8n itself takes. */
export const withoutLimit = (count: number): Task[] => [
	{
		...list(count),
		isUnlimited: true,
		contenders: [...list(count).contenders.slice(0, -1), ...script('list')],
	},
	{
		...register(count),
		isUnlimited: true,
		contenders: [
			{ name: 'This node', built: { workflow: bulkWithThisNode } },
			{ name: 'This node, mapped automatically', built: { workflow: bulkMappedAutomatically } },
			...script('register'),
		],
	},
];
