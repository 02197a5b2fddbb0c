import type { Workflow } from '../../../host/editor';
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
	verdict: Verdict;
	error?: string;
	/** The least and the most seconds, of several times the same. */
	seconds: [least: number, most: number];
}

export interface Result {
	cost: Cost;
	output: unknown[];
	error?: string;
}

/** What a contender works with: people or one empty item, and where the platform is. */
export interface Given {
	items: object[];
	access: { baseUrl: string; apiToken: string; sessionId: string };
}

export type RunWorkflow = (workflow: Workflow, given: Given) => Promise<Result>;

/** Of several times the same the one with the middle seconds, and how far the others are from it. */
export function middle(times: readonly Measured[]): Measured {
	const sorted = [...times].sort((one, other) => one.cost.seconds - other.cost.seconds);
	const [found, first, last] = [sorted[Math.floor(sorted.length / 2)], sorted[0], sorted.at(-1)];
	if (!found || !first || !last) throw new Error('Nothing was measured');
	return { ...found, seconds: [first.cost.seconds, last.cost.seconds] };
}
