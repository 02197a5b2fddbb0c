import { NodeOperationError } from 'n8n-workflow';
import type { AllItemsOperation } from '../operation';
import type { RunContext } from '../runContext';
import { isWithoutJoinLink, notSent, type Reason } from '../../core/people/outcome';
import { joinFirst, nameOrAddressOf, peopleInWords } from '../../core/people/peopleInWords';
import {
	planRun,
	type Plan,
	costOf,
	requestsFor,
	dryRun,
	shortage,
} from '../../core/registration/bulkPlan';
import type { RegistrationRun } from '../../core/registration/registrationRun';
import { outcomesOf, withOutcomes, type RunOutcome } from '../../core/registration/runOutcome';
import { runBulk } from '../../core/registration/bulkRun';
import { thousands } from '../../core/values/text';
import { whyClosed } from '../../core/sessions/phase';
import type { SessionCache } from '../../core/sessions/sessionCache';
import { askMonthlyRemaining } from '../../core/client/askQuota';
import { costSoFar, endingAt } from '../../core/client/run';
import { switchField, switchFields } from '../../fields/fieldBuilders';
import type { ItemParameters } from '../../fields/itemParameters';
import { joinLinkOption } from '../../fields/sharedFields';
import { checkSessions } from './checkSessions';
import { isFailed, pairedItemOf } from './listItems';
import { finishList, adviceWithoutRequests } from './listOutput';
import { fieldsOfList } from './listFields';
import { prepareList, type ListOutput, type ListSettings } from './prepareList';
import {
	hintsOfMissingLinks,
	hintsOfPublicEvents,
	hintsOfRegisteredBefore,
} from './registrationHints';
import { addAll } from '../../core/values/collections';

const waitForCompletion = switchField(
	'waitForCompletion',
	true,
	'Whether to wait for the result of each person. If off, the node returns one item per job.',
);

export const bulkRegister: AllItemsOperation = {
	action: 'Bulk register people',
	description: 'Register a list of people for one or more sessions, in batches of 50',
	fields: [
		...fieldsOfList(
			{
				failed: {
					name: 'Only People Not Registered',
					description: 'One item for each person who is not registered, with the reason',
				},
				everyone: 'One item for each input item',
				firstOption: 'validateOnly',
				displayOptions: { hide: { '/options.waitForCompletion': [false] } },
			},
			// Somebody who adds a switch wants what it says, so each one is on when it is added.
			[
				...switchFields(true, {
					failOnAnyFailure: 'Whether to fail the node if anyone was not registered',
					isolateBadRows:
						'Whether to split a rejected batch so that valid people are still registered',
					validateOnly:
						'Whether to only check the list. Registers nobody; shows the jobs, requests and seconds that a run would take.',
				}),
				joinLinkOption,
				waitForCompletion,
			],
		),
	],
	async runAll(context) {
		const prepared = await prepareList(context, readBulkSettings);
		const { run, people, settings } = prepared;
		const sessionCheck = settings.isDryRun
			? await checkSessions(people, run)
			: { people, hints: [] };
		const plan = planRun(sessionCheck.people, (id) => reasonClosed(run.sessions, id));
		// These hints are logged before anything is sent, because sending cannot be taken back.
		const publicEventHints = hintsOfPublicEvents(run, people);
		publicEventHints.forEach((hint) => run.n8n.logger.warn(`Bulk registration: ${hint}`));
		const runOutcome = await carryOutPlan(plan, settings, run);
		const registeredBefore = runOutcome.people.filter(
			({ outcome }) => outcome.status === 'already_registered',
		);
		const hints = hintsOfRegisteredBefore(registeredBefore.map(({ row }) => nameOrAddressOf(row)));
		if (settings.needsJoinLinks) {
			addAll(hints, hintsOfMissingLinks(outcomesOf(runOutcome).filter(isWithoutJoinLink)));
		}
		addAll(hints, sessionCheck.hints);
		addAll(hints, hintsOfPublicEvents(run, people));
		const words = {
			run: 'Bulk registration',
			pastParticiple: 'registered',
			errorMessage: (counts: string) => `Nobody was registered: ${counts}`,
		};
		const items = await finishList({ ...prepared, runOutcome, words, hints });
		if (settings.failsOnAnyFailure && !run.n8n.continueOnFail()) refuseFailures(runOutcome, run);
		return items;
	},
};

/** Undefined as well where this run has not read the session: none is read for this alone. */
function reasonClosed(sessions: SessionCache, sessionId: string): Reason | undefined {
	const session = sessions.find(sessionId);
	const message = session && whyClosed(session, sessions.nameOfRead(session));
	return message === undefined ? undefined : { code: 'session_closed', message };
}

type BulkSettings = ListSettings & ReturnType<typeof readBulkSettings>;

function readBulkSettings(parameters: ItemParameters) {
	const needsResults = parameters.option('waitForCompletion', true);
	const isDryRun = parameters.option('validateOnly');
	// A run that does not wait has no use for the choice, so it may differ between items.
	const output: ListOutput = needsResults
		? parameters.choice('output', ['people', 'failed', 'summary'], 'people')
		: outputWithoutWaiting(isDryRun);
	return {
		output,
		// A summary names the session and its date.
		readsSessions: isDryRun || output === 'summary',
		leavesOutEmptyRows: true,
		needsResults,
		isDryRun,
		// These outputs show nobody.
		needsJoinLinks: parameters.option('includeJoinLink') && !['summary', 'jobs'].includes(output),
		mayDivide: parameters.option('isolateBadRows', true),
		failsOnAnyFailure: parameters.option('failOnAnyFailure'),
	};
}

function outputWithoutWaiting(isDryRun: boolean): ListOutput {
	return isDryRun ? 'people' : 'jobs';
}

async function carryOutPlan(
	plan: Plan,
	settings: BulkSettings,
	run: RegistrationRun,
): Promise<RunOutcome> {
	const { client, clock } = run;
	const requests = requestsFor(plan, settings.needsResults);
	if (settings.isDryRun) return dryRun(plan, costOf(requests, client.usage, client.usage.requests));
	const reasonNotToBegin =
		shortage(requests, client.usage.month.monthlyRemaining) &&
		shortage(requests, await askMonthlyRemaining(client, clock));
	const { needsResults, maxWaitSeconds } = settings;
	const inTime = needsResults ? endingAt(run, clock.now() + maxWaitSeconds * 1_000) : run;
	if (!reasonNotToBegin) return await runBulk(plan, inTime, settings);
	// It is better to register nobody than half of the people.
	const message = [reasonNotToBegin.message, adviceWithoutRequests].join(' ');
	const unsent = notSent({ ...reasonNotToBegin, message });
	const people = withOutcomes(plan.candidates, unsent);
	return { ...costSoFar(run), people, jobs: [], reasonNotToBegin };
}

function refuseFailures({ people, jobs }: RunOutcome, { n8n }: RunContext): void {
	const failed = people.filter(({ outcome }) => isFailed(outcome));
	const [firstFailed] = failed;
	if (!firstFailed) return;
	const message = `${thousands(failed.length)} of ${peopleInWords(people.length)} could not be registered`;
	const reasons = [
		...new Set(outcomesOf({ people: failed }).map(({ reasons: [reason] }) => reason?.message)),
	];
	const jobIds = jobs.flatMap((job) => ('id' in job ? job.id : []));
	const ids = jobIds.length === 0 ? '' : ` Jobs: ${joinFirst(jobIds, mostReasonsInMessage)}.`;
	throw new NodeOperationError(n8n.getNode(), message, {
		itemIndex: pairedItemOf(firstFailed)?.item,
		description: `${joinFirst(reasons, mostReasonsInMessage)}${ids} Turn off 'Fail on Any Failure' to get an item for everyone.`,
	});
}

const mostReasonsInMessage = 5;
