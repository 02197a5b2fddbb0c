import type { INodeProperties } from 'n8n-workflow';
import { sendUnknownChoices } from '../../form/registrationFields';
import { choiceField, options, switchField, type Choices } from '../../parameters/field';
import type { Read } from '../../parameters/read';
import { maxWaitField } from '../../parameters/recordFields';
import type { Run } from '../operation';

const waitForCompletion = switchField(
	'waitForCompletion',
	true,
	'Whether to wait for the result of each person. If off, the node returns one item per job.',
	{ displayName: 'Wait for Completion' },
);

/** Earlier versions had it here: a saved workflow that does not wait still does not. */
const savedWaiting: INodeProperties = {
	...waitForCompletion,
	type: 'hidden',
	description: undefined,
};

/** `failed` and `people` in the words of the operation. */
export function outputField(failed: Choices[string], everyone: string): INodeProperties {
	return choiceField(
		'output',
		{
			failed,
			people: ['People', everyone],
			summary: ['Summary', 'One item for each session, with counts'],
		},
		'people',
		'What the node returns',
	);
}

const output = outputField(
	['Only People Not Registered', 'One item for each person who is not registered, with the reason'],
	'One item for each input item',
);

export const includeDetails = switchField(
	'includeDetails',
	true,
	'Whether to also return the record of each person and all reasons that the platform gave',
);

export const maxWait = maxWaitField(
	"Max duration of the run. People who were sent and have no result by then are 'unknown' and keep their job ID.",
);

// Somebody who adds a switch wants what it says, so each one is on when it is added.
export const bulkFields: INodeProperties[] = [
	savedWaiting,
	{ ...output, displayOptions: { hide: { '/options.waitForCompletion': [false] } } },
	options([
		switchField('failOnAnyFailure', true, 'Whether to fail the node if anyone was not registered', {
			displayName: 'Fail on Any Failure',
		}),
		includeDetails,
		switchField(
			'isolateBadRows',
			true,
			'Whether to split a rejected batch so that valid people are still registered',
		),
		maxWait,
		sendUnknownChoices,
		switchField(
			'validateOnly',
			true,
			'Whether to only check the people and send nothing. The summary shows the jobs, requests and seconds that the run would take.',
		),
		waitForCompletion,
	]),
];

export type BulkSettings = ReturnType<typeof bulkSettings>;

export function bulkSettings(read: Read) {
	const waits = read.option('waitForCompletion', read.flag('waitForCompletion', true));
	return {
		waits,
		output: waits ? readOutput(read) : 'people',
		validatesOnly: read.option('validateOnly'),
		maxWaitSeconds: read.maxWaitSeconds(),
		isolates: read.option('isolateBadRows', true),
		failsOnAnyFailure: read.option('failOnAnyFailure'),
		includesDetails: read.option('includeDetails'),
	};
}

/** What holds for a run as a whole. An expression that gives items different settings cannot be meant. */
export function forAllItems<Settings>(run: Run, settings: (read: Read) => Settings): Settings {
	const first = settings(run.read(0));
	for (const itemIndex of run.context.getInputData().keys()) {
		const read = run.read(itemIndex);
		if (JSON.stringify(settings(read)) === JSON.stringify(first)) continue;
		throw read.refusal(
			'The options are not the same for all items',
			`Items 1 and ${itemIndex + 1} give different ones. Nothing was sent. Use an expression that gives every item the same value.`,
		);
	}
	return first;
}

export function readOutput(read: Read) {
	const output = read.text('output');
	return output === 'failed' || output === 'summary' ? output : 'people';
}
