import type { Cost } from './resources';
import type { Verdict } from './truth';

/** What one contender took for one task. */
export interface Measured {
	task: string;
	contender: string;
	nodes: number | null;
	requests: number;
	refused: number;
	cost: Cost;
	verdict: Verdict | null;
	error?: string;
}

export interface Result {
	cost: Cost;
	output: unknown[];
	error?: string;
}
