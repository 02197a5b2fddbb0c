import { NodeOperationError, type INodeProperties } from 'n8n-workflow';
import type { AllItemsOperation, Run } from '../operation';
import { countStatuses, headline } from '../../core/bulk/report';
import { syncStatuses } from '../../core/sync/plan';
import { runSync, type SyncOptions, type SyncReport } from '../../core/sync/run';
import { registrationFields } from '../../form/registrationFields';
import { options } from '../../parameters/collections';
import { readMaxWaitSeconds } from '../../parameters/maxWait';
import type { Read } from '../../parameters/read';
import { maxWait, output, readOutput } from './bulkFields';
import { outputOf } from './bulkOutput';
import { explain, untilMoreRequests } from './bulkRegister';
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
		'How many people of one session may be removed. A list that would remove more is an error, and nothing is sent. Without this option: 50, or 10 % of the people where that is more.',
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
	action: 'Sync the people of a session with a list',
	description:
		'Make the people of a session those of a list: add who is missing, update answers that differ, remove the others if wanted',
	fields: [
		...registrationFields,
		outputOfSync,
		options([dryRun, maxWait, mostRemovals, removeOthers]),
	],
	async runAll(run) {
		const { api, clock, signal, context } = run;
		const chosen = syncOptions(run.read(0));
		const output = readOutput(run.read(0));
		// A long run is watched in n8n's log.
		const log = (message: string) => context.logger.info(message);
		const parts = { api, clock, signal, log, explain };
		const report = await runSync(await readPeople(run), parts, chosen);
		const { refusal, plan } = report;
		if (refusal && !chosen.rehearses && !context.continueOnFail()) {
			const description =
				refusal.code === 'quota_spent'
					? untilMoreRequests
					: 'Check that the list is complete. If it is, add the option "Most Removals" with a larger number.';
			throw new NodeOperationError(context.getNode(), refusal.message, { description });
		}
		tell(report, chosen, run);
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
		throw read.refusal('Most Removals is not a whole number of 0 or more');
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
	const said = headline(countStatuses(outcomes), requests, seconds);
	if (rehearses) run.hint(`Dry run, nothing was sent. The run would come to: ${said}.`);
	else {
		run.hint(said);
		run.context.logger.info(`Sync: ${said}`);
	}
	if (refusal) run.hint(`${rehearses ? 'It would be refused. ' : ''}${refusal.message}`);
	if (stop) run.hint(`The run ended early. ${stop.message}`);
}
