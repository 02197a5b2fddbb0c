import type { Workflow } from '../../../host/editor';
import {
	bulkByHand,
	bulkWithThisNode,
	listWithHttpRequest,
	listWithThisNode,
	oneByOne,
	type Platform,
} from './workflows';

export interface Contender {
	name: string;
	/** A workflow in n8n's engine, or what the script has to do. */
	built:
		| { workflow: (platform: Platform) => Workflow }
		| { script: 'list' | 'register'; pollSeconds?: number };
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

const registering: Contender[] = [
	{ name: 'This node', built: { workflow: bulkWithThisNode } },
	{ name: 'HTTP Request, bulk by hand', built: { workflow: bulkByHand } },
	{ name: 'HTTP Request, one by one', built: { workflow: oneByOne } },
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

/** This node first, a script that holds the same records last; between them what n8n's own node takes for a list. */
export const withoutLimit = (count: number): Task[] => [
	{ ...list(count), isUnlimited: true },
	{
		...register(count),
		isUnlimited: true,
		contenders: [
			{ name: 'This node', built: { workflow: bulkWithThisNode } },
			{ name: 'axios script', built: { script: 'register', pollSeconds: 0.02 } },
		],
	},
];
