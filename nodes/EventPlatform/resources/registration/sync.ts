import { NodeOperationError, type INodeExecutionData } from 'n8n-workflow';
import type { AllItemsOperation, Run } from '../operation';
import { syncStatuses } from '../../core/bulk/outcome';
import { countStatuses, headline, headlineOfPlan } from '../../core/bulk/report';
import { isObject } from '../../core/http/json';
import { text } from '../../core/http/text';
import type { SessionRead } from '../../core/sessions/readSession';
import { hintsAboutUpdates } from '../../core/sync/changes';
import { inDryRun, runSync, type SyncOptions, type SyncReport } from '../../core/sync/run';
import { registrationFields, sendUnknownChoices } from '../../form/registrationFields';
import { numberField, options, switchField } from '../../parameters/field';
import { readMaxWaitSeconds } from '../../parameters/maxWait';
import type { Read } from '../../parameters/read';
import { forAllItems, includeDetails, maxWait, outputField, readOutput } from './bulkFields';
import { outputOf } from './bulkOutput';
import { partsOf, sessionName, untilMoreRequests } from './bulkRegister';
import { readPeople, tellOfAnswers } from './readPeople';

const output = outputField(
	[
		'Only People Not in Sync',
		'One item for each person who does not match the list, with the reason',
	],
	'One item for each input item, and one for each person who was removed',
);

const ownOptions = [
	switchField(
		'dryRun',
		true,
		'Whether to only show what would be added, updated and removed, and what it would cost',
	),
	numberField(
		'mostRemovals',
		10,
		'Max number of people to remove from one session. If the list would remove more, nothing is sent. By default a fifth of the participants, at least one.',
		{ displayName: 'Max Removals', typeOptions: { minValue: 0, numberPrecision: 0 } },
	),
	switchField(
		'removeDespiteProblems',
		false,
		"Whether to remove people even if a row cannot be read, someone could not be added, or two addresses differ by a typo. If off, nobody is removed then, and people are 'kept' with the reason.",
	),
	switchField(
		'removeOthers',
		false,
		'Whether to unregister people who are not on the list. Give the whole list in one run. Team members and guest speakers always stay.',
	),
];

export const sync: AllItemsOperation = {
	value: 'sync',
	action: 'Sync session with list',
	description:
		'Make the registrations of a session match a list: add and update people and, if enabled, remove the others',
	usesReserve: true,
	fields: [
		...registrationFields,
		output,
		options([...ownOptions, includeDetails, maxWait, sendUnknownChoices]),
	],
	async runAll(run) {
		const { context } = run;
		const chosen = forAllItems(run, syncOptions);
		const includesDetails = run.read(0).option('includeDetails');
		const read = await readPeople(run);
		const nameSession = (session: SessionRead) => sessionName(session, context.getTimezone());
		const parts = { ...partsOf(run, read, { includesDetails }), nameSession };
		const report = await runSync(read.people, parts, chosen);
		const { refusal, plan } = report;
		if (refusal && !chosen.rehearses && !context.continueOnFail()) {
			const description =
				refusal.code === 'quota_spent'
					? untilMoreRequests
					: "Check that the list is complete. If it is, add the option 'Max Removals' with a larger number.";
			throw new NodeOperationError(context.getNode(), refusal.message, { description });
		}
		tell(report, chosen, run);
		const { rehearses } = chosen;
		tellOfAnswers(read, report.outcomes, 'added', run);
		if (report.unreached && !context.continueOnFail()) throw report.unreached;
		const items = outputOf(
			{
				plan,
				report,
				settings: {
					...{ waits: true, validatesOnly: rehearses },
					...{ output: readOutput(run.read(0)), includesDetails },
				},
				words: { done: 'synced', statuses: rehearses ? statusesOfDryRun : syncStatuses },
				pairedTo: plan.pairedTo,
			},
			context,
		);
		return rehearses ? removalsFirst(items) : items;
	},
};

const statusesOfDryRun = syncStatuses.map((status) => inDryRun[status] ?? status);

/** What cannot be taken back is looked at first. */
function removalsFirst(items: INodeExecutionData[]): INodeExecutionData[] {
	const ranks = ['would_remove', 'kept'];
	const rank = ({ json }: INodeExecutionData) => {
		const shown = isObject(json.error) ? json.error : json;
		return (ranks.indexOf(text(shown.status)) + ranks.length + 1) % (ranks.length + 1);
	};
	return items.sort((one, other) => rank(one) - rank(other));
}

function syncOptions(read: Read): SyncOptions {
	const chosen = read.chosen('options');
	const most = chosen.mostRemovals === undefined ? undefined : Number(chosen.mostRemovals);
	if (most !== undefined && (!Number.isInteger(most) || most < 0)) {
		throw read.refusal("'Max Removals' is not a whole number of 0 or more");
	}
	return {
		removesOthers: read.option('removeOthers'),
		removesDespite: read.option('removeDespiteProblems'),
		mostRemovals: most,
		rehearses: read.option('dryRun'),
		maxWaitSeconds: readMaxWaitSeconds(read),
	};
}

function tell(
	{ plan, outcomes, requests, seconds, stop, refusal }: SyncReport,
	{ rehearses, removesOthers }: SyncOptions,
	run: Run,
): void {
	const counts = countStatuses(outcomes);
	const counted = rehearses
		? `Dry run: ${headlineOfPlan(counts, requests, seconds)}`
		: headline(counts, run.api.usage, seconds);
	// In one, so that the cause stands wherever the counts are read.
	const refused =
		refusal && `${rehearses ? 'Without the dry run, the node would stop. ' : ''}${refusal.message}`;
	const cause = stop ? `The run ended early. ${stop.message}` : refused;
	const said = cause === undefined ? counted : `${counted}${rehearses ? '' : '.'} ${cause}`;
	run.hint(said);
	if (rehearses && !removesOthers && plan.others > 0) {
		run.hint(
			plan.others === 1
				? "1 person is registered and not on the list, and stays because 'Remove Others' is off."
				: `${plan.others} people are registered and not on the list. They stay, because 'Remove Others' is off.`,
		);
	}
	hintsAboutUpdates(outcomes).forEach(run.hint);
	run.context.logger.info(`Sync: ${said}`);
}
