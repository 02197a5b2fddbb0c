import type { INodeProperties } from 'n8n-workflow';
import { options } from '../../parameters/collections';
import { maxWaitSeconds, readMaxWaitSeconds } from '../../parameters/maxWait';
import type { Read } from '../../parameters/read';

export interface BulkSettings {
	waits: boolean;
	output: 'people' | 'failed' | 'summary';
	validatesOnly: boolean;
	maxWaitSeconds: number;
	isolates: boolean;
	failsOnAnyFailure: boolean;
}

const waitForCompletion: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: true,
	description:
		'Whether to wait until it is known what became of every person. When off, the output has one item per job.',
};

export const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	displayOptions: { show: { waitForCompletion: [true] } },
	options: [
		{
			name: 'Only People Who Were Not Registered',
			value: 'failed',
			description: 'One item for each person who is not registered, with the reason',
		},
		{ name: 'People', value: 'people', description: 'One item for each input item' },
		{ name: 'Summary', value: 'summary', description: 'One item for each session, with counts' },
	],
	default: 'people',
	description: 'What the items of the output are',
};

const failOnAnyFailure: INodeProperties = {
	displayName: 'Fail on Any Failure',
	name: 'failOnAnyFailure',
	type: 'boolean',
	default: true,
	description: 'Whether the node should fail when anybody could not be registered',
};

const isolateBadRows: INodeProperties = {
	displayName: 'Isolate Bad Rows',
	name: 'isolateBadRows',
	type: 'boolean',
	default: true,
	description:
		'Whether to split a request that the platform refuses until the people it is refused for stand alone, so that the others are registered. Costs at most 300 requests for a session, or half as many as its people need themselves.',
};

export const maxWait = maxWaitSeconds(
	"How long the run may take from its start. What is not confirmed then has the status 'unknown' and keeps its job ID.",
);

const validateOnly: INodeProperties = {
	displayName: 'Validate Only',
	name: 'validateOnly',
	type: 'boolean',
	default: true,
	description:
		'Whether to only check the people and plan the run. Nothing is sent; the summary shows the jobs, requests and seconds it would take.',
};

// Whoever adds a switch wants what it says, so each one is on when it is added.
export const bulkFields: INodeProperties[] = [
	waitForCompletion,
	output,
	options([failOnAnyFailure, isolateBadRows, maxWait, validateOnly]),
];

export function bulkSettings(read: Read): BulkSettings {
	const chosen = read.chosen('options');
	const waits = read.flag('waitForCompletion', true);
	return {
		waits,
		output: waits ? readOutput(read) : 'people',
		validatesOnly: chosen.validateOnly === true,
		maxWaitSeconds: readMaxWaitSeconds(read),
		isolates: chosen.isolateBadRows !== false,
		failsOnAnyFailure: chosen.failOnAnyFailure === true,
	};
}

export function readOutput(read: Read): BulkSettings['output'] {
	const output = read.text('output');
	return output === 'failed' || output === 'summary' ? output : 'people';
}
