import { NodeOperationError, type INodeProperties } from 'n8n-workflow';
import type { AllItemsOperation, Run } from '../operation';
import { countStatuses, headline, headlineOfPlan } from '../../core/bulk/report';
import { syncStatuses } from '../../core/sync/plan';
import { runSync, type SyncOptions, type SyncReport } from '../../core/sync/run';
import { registrationFields } from '../../form/registrationFields';
import { options } from '../../parameters/collections';
import { readMaxWaitSeconds } from '../../parameters/maxWait';
import type { Read } from '../../parameters/read';
import { maxWait, output, readOutput } from './bulkFields';
import { outputOf } from './bulkOutput';
import { leavesByPerson, partsOf, untilMoreRequests } from './bulkRegister';
import { readPeople } from './readPeople';

const outputOfSync: INodeProperties = {
	...output,
	displayOptions: undefined,
	options: [
		{
			name: 'Only People Who Are Not as on the List',
			value: 'failed',
			description: 'One item for each person for whom something went wrong, with the reason',
		},
		{
			name: 'People',
			value: 'people',
			description: 'One item for each input item, and one for each person who was removed',
		},
		{ name: 'Summary', value: 'summary', description: 'One item for each session, with counts' },
	],
};

const dryRun: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		'Whether to only read who is registered, and show what would be added, updated and removed, and what it would cost. Nothing is sent.',
};

const mostRemovals: INodeProperties = {
	displayName: 'Most Removals',
	name: 'mostRemovals',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 50,
	description:
		'How many people of one session may be removed. A list that would remove more is refused, and nothing is sent. Without this option: 50, or 10 % of the people where that is more.',
};

const removeOthers: INodeProperties = {
	displayName: 'Remove Others',
	name: 'removeOthers',
	type: 'boolean',
	default: false,
	description:
		'Whether to unregister who is registered and not on the list. Team members and guest speakers always stay.',
};

/** Makes the registrants of each session those of the list that comes in. */
export const sync: AllItemsOperation = {
	value: 'sync',
	name: 'Sync',
	action: 'Sync session with list',
	description:
		'Make the people of a session those of a list: add who is missing, update answers that differ, remove the others if wanted',
	fields: [
		...registrationFields,
		outputOfSync,
		options([dryRun, maxWait, mostRemovals, removeOthers]),
	],
	async runAll(run) {
		const { context } = run;
		const chosen = syncOptions(run.read(0));
		const output = readOutput(run.read(0));
		const people = await readPeople(run);
		const report = await runSync(people, partsOf(run, people), chosen);
		const { refusal, plan } = report;
		if (refusal && !chosen.rehearses && !context.continueOnFail()) {
			const description =
				refusal.code === 'quota_spent'
					? untilMoreRequests
					: "Check that the list is complete. If it is, add the option 'Most Removals' with a larger number.";
			throw new NodeOperationError(context.getNode(), refusal.message, { description });
		}
		tell(report, chosen, run);
		if (report.unreached && !leavesByPerson({ output }, run)) throw report.unreached;
		const items = outputOf(
			{
				plan,
				report,
				settings: { waits: true, validatesOnly: false, output },
				words: { done: 'synced', statuses: syncStatuses },
				pairedTo: plan.pairedTo,
			},
			context,
		);
		if (!chosen.rehearses) return items;
		// An item for the error output has nothing else.
		return items.map((item) =>
			'error' in item.json ? item : { ...item, json: { ...item.json, dry_run: true } },
		);
	},
};

function syncOptions(read: Read): SyncOptions {
	const chosen = read.chosen('options');
	const most = chosen.mostRemovals === undefined ? undefined : Number(chosen.mostRemovals);
	if (most !== undefined && (!Number.isInteger(most) || most < 0)) {
		throw read.refusal("'Most Removals' is not a whole number of 0 or more");
	}
	return {
		removesOthers: chosen.removeOthers === true,
		mostRemovals: most,
		rehearses: chosen.dryRun === true,
		maxWaitSeconds: readMaxWaitSeconds(read),
	};
}

function tell(
	{ outcomes, requests, seconds, stop, refusal }: SyncReport,
	{ rehearses }: SyncOptions,
	run: Run,
): void {
	const counts = countStatuses(outcomes);
	const said = rehearses
		? `Dry run: ${headlineOfPlan(counts, requests, seconds)}`
		: headline(counts, run.api.usage, seconds);
	// One hint, so that the cause stands wherever the counts are read.
	const refused = refusal && `${rehearses ? 'It would be refused. ' : ''}${refusal.message}`;
	const cause = stop ? `The run ended early. ${stop.message}` : refused;
	run.hint(cause === undefined ? said : `${said}${rehearses ? '' : '.'} ${cause}`);
	run.context.logger.info(`Sync: ${said}`);
}
