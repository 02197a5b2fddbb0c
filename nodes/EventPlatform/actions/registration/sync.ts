import type { INodeExecutionData } from 'n8n-workflow';
import type { AllItemsOperation } from '../operation';
import { syncStatuses } from '../../core/people/outcome';
import { groupBy } from '../../core/values/collections';
import { isObject } from '../../core/values/json';
import { text, thousands } from '../../core/values/text';
import { hintsAboutUpdates, hintsOfPublicEvents } from './registrationHints';
import { plannedStatusOf } from '../../core/sync/intent';
import { runSync, type SyncOptions, type SyncOutcome } from '../../core/sync/syncRun';
import { outcomesOf } from '../../core/registration/runOutcome';
import { numberField, switchFields } from '../../fields/fieldBuilders';
import type { ItemParameters } from '../../fields/itemParameters';
import { finishList } from './listOutput';
import { fieldsOfList } from './listFields';
import { prepareList } from './prepareList';

export const sync: AllItemsOperation = {
	action: 'Sync session with list',
	description:
		"Make the registrations of a session match a list: add and update people and, with 'Remove Others', unregister everybody else",
	fields: fieldsOfList(
		{
			changes: {
				name: 'Only Changes',
				description: 'Without people who are unchanged',
			},
			failed: {
				name: 'Only People Not in Sync',
				description: 'One item for each person who does not match the list, with the reason',
			},
			everyone: 'One item for each input item, and one for each person who was removed or kept',
			firstOption: 'dryRun',
		},
		[
			...switchFields(true, {
				dryRun:
					'Whether to only show what would be added, updated and removed, and what it would cost',
			}),
			...switchFields(false, {
				removeDespiteProblems:
					"Whether to remove people although a row is unreadable, someone couldn't be added, or two emails differ by a typo",
				removeOthers:
					'Whether to unregister people who are not on the list. Give the whole list. Team members, guest speakers and people who attended always stay, and nobody is removed from a session that is over, canceled, live or on demand.',
			}),
			numberField(
				'mostRemovals',
				1,
				'Max people to remove per session. If more would go, nothing is changed. Without this option: 20% of the participants, at least 1.',
				{ displayName: 'Max Removals', typeOptions: { minValue: 0, numberPrecision: 0 } },
			),
		],
	),
	async runAll(context) {
		const prepared = await prepareList(context, readSyncSettings);
		const { run, people, settings } = prepared;
		const { isDryRun } = settings;
		const runOutcome = await runSync(people, run, settings);
		const added = runOutcome.people.filter(({ outcome }) => outcome.status === 'added');
		const items = await finishList({
			...prepared,
			runOutcome,
			words: {
				run: 'Sync',
				pastParticiple: 'synced',
				errorMessage: (counts) => `Nobody was added, updated or removed: ${counts}`,
				dryRunPrefix: 'Dry run: ',
				statuses: isDryRun ? statusesOfDryRun : syncStatuses,
				refused: {
					too_many_removals:
						"Check that the list is complete and belongs to this session. To see whom it would remove, turn on 'Dry Run'.",
				},
			},
			hints: [
				...hintsOfUnlistedPeople(runOutcome, settings),
				...hintsAboutUpdates(outcomesOf(runOutcome)),
				// Where the form could not be read, only the results have shown it.
				...hintsOfPublicEvents(
					run,
					added.map(({ row }) => row),
				),
			],
		});
		return questionableFirst(items);
	},
};

const statusesOfDryRun = syncStatuses.map((status) => plannedStatusOf[status] ?? status);

/** Puts the people first whom somebody should look at before all else: a removal cannot be taken back. */
function questionableFirst(items: readonly INodeExecutionData[]): INodeExecutionData[] {
	const groups = groupBy(items, ({ json }) => {
		// On the error output an item has nothing but an error. A column of the row may be called so too.
		const { status = isObject(json.error) && json.error.status } = json;
		return questionableStatuses.find((questionable) => questionable === status) ?? '';
	});
	return [...questionableStatuses, ''].flatMap((status) => groups.get(status) ?? []);
}

const questionableStatuses = ['would_remove', 'kept'];

function readSyncSettings(parameters: ItemParameters) {
	const options = parameters.chosen('options');
	const mostRemovals = text(options.mostRemovals).trim();
	// JavaScript reads more as a number than a person means, such as "0x10" and "1e3".
	if (options.mostRemovals !== undefined && !/^\d+$/.test(mostRemovals)) {
		throw parameters.parameterError("'Max Removals' must be a whole number, 0 or higher");
	}
	const mayRemoveOthers = parameters.option('removeOthers');
	return {
		output: parameters.choice('output', ['people', 'failed', 'changes', 'summary'], 'people'),
		readsSessions: true,
		mayRemoveOthers,
		// The row may be that of somebody whose cells were lost, and who is not to be removed for that.
		leavesOutEmptyRows: !mayRemoveOthers,
		mayRemoveDespiteProblems: parameters.option('removeDespiteProblems'),
		mostRemovals: options.mostRemovals === undefined ? undefined : Number(mostRemovals),
		isDryRun: parameters.option('dryRun'),
	};
}

function hintsOfUnlistedPeople({ plan }: SyncOutcome, settings: SyncOptions): string[] {
	const { notListedCount } = plan;
	if (!settings.isDryRun || settings.mayRemoveOthers || notListedCount === 0) return [];
	const whom =
		notListedCount === 1
			? '1 person is registered and not on the list, and stays'
			: `${thousands(notListedCount)} people are registered and not on the list. They stay,`;
	return [`${whom} because 'Remove Others' is off.`];
}
