import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { nobodyRegistered } from '../../core/registration/report';
import { reasonsBeside, type Change, type Outcome, type Preview } from '../../core/people/outcome';
import { nameOfPerson } from '../../core/people/peopleInWords';
import { createYielder } from '../../core/client/clock';
import { describeWaits } from '../../core/client/usage';
import { excerpt, text } from '../../core/values/text';
import { reasonOf } from '../../core/people/reason';
import {
	missingAnswers,
	droppedAnswers,
	hintsBeforeSending,
	hintsOfDroppedAnswers,
	hintsOfMissingAnswers,
} from '../../form/hints';
import { isFailed, nothingSent, type FinishedList } from './finishedList';
import { hintsOfLeftOutTracking } from './leftOutHints';
import { jobOutputs } from './jobOutputs';
import { headlineOf } from './listHeadline';
import { summaryOutputs } from './summaryOutputs';
import { joinLinkColumn } from '../../core/values/secretNames';

/** The statuses of people whom this run registers, or would register. */
const newlyRegisteredStatuses: ReadonlyArray<Preview['status'] | undefined> = [
	'registered',
	'added',
	'valid',
	'would_add',
];
/** The outcome of a person of whom the report has none. */
const nothingKnown: Outcome = { status: 'unknown', reasons: [] };
/** The most characters of an address that a message quotes. No address that a mail can reach is longer (RFC 5321). */
const longestQuotedAddress = 254;

/** The advice to people whose month has too few requests left for a run. */
export const adviceWithoutRequests =
	'Wait for the new month, send fewer people, or choose a larger plan.';

/** Tells what became of everyone, and gives the output. Throws if the run was refused or reached nobody. */
export async function finishList(list: FinishedList): Promise<INodeExecutionData[]> {
	const { run, people, plan, report, settings, words, hints } = list;
	const { outcomes, reasonNotToBegin, unreached, answerColumns } = report;
	const { isDryRun, output } = settings;
	const failsOnError = !run.n8n.continueOnFail();
	if (reasonNotToBegin && failsOnError && !isDryRun) {
		const { code, message } = reasonNotToBegin;
		const advice = code === 'quota_spent' ? adviceWithoutRequests : words.refused?.[code];
		const description = advice === undefined ? nothingSent : `${nothingSent} ${advice}`;
		throw new NodeOperationError(run.n8n.getNode(), message, { description });
	}
	const headline = headlineOf(list);
	const waits = describeWaits(run.api.usage);
	run.n8n.logger.info(`${words.run}: ${waits === undefined ? headline : `${headline}. ${waits}`}`);
	const isNew = (_: unknown, index: number) =>
		newlyRegisteredStatuses.includes(outcomes[index]?.status);
	const peopleWithRecord = people.filter(
		(person, index) => isNew(person, index) && outcomes[index]?.person,
	);
	const answerHints = [
		hintsOfLeftOutTracking(report.leftOut ?? []),
		hintsBeforeSending(people),
		hintsOfDroppedAnswers(droppedAnswers(peopleWithRecord, answerColumns)),
		hintsOfMissingAnswers(missingAnswers(people.filter(isNew)), isDryRun),
	];
	run.notes.hint(headline);
	for (const hint of [...hints, ...answerHints.flat()]) run.notes.hint(hint);
	if (unreached && failsOnError) throw unreached;
	const fruitlessRun = isDryRun ? undefined : nobodyRegistered(outcomes);
	if (fruitlessRun && failsOnError) {
		const description = `${fruitlessRun.reason} To get an item for each person, set 'On Error' of the node to 'Continue (using error output)'.`;
		throw new NodeOperationError(run.n8n.getNode(), fruitlessRun.message, { description });
	}
	if (output === 'jobs') {
		const { items, indexesWithoutJob } = jobOutputs(list);
		return [...items, ...(await personOutputs(indexesWithoutJob, list))];
	}
	// A summary on the branch of the successes would look like one.
	if (output === 'summary' && !fruitlessRun) {
		return summaryOutputs(list);
	}
	return await personOutputs([...plan.people.keys()], list);
}

/** Makes an item for each of these people who has one. */
async function personOutputs(
	indexes: readonly number[],
	list: FinishedList,
): Promise<INodeExecutionData[]> {
	const yieldIfDue = createYielder(list.run.clock);
	const items: INodeExecutionData[] = [];
	for (const index of indexes) {
		if (isShown(index, list)) items.push(personOutput(index, list));
		await yieldIfDue();
	}
	return items;
}

/** Whether a person has an item. With the output 'failed' only people for whom the run failed have one. Duplicates have none where the user leaves them out. */
function isShown(index: number, list: FinishedList): boolean {
	if (list.settings.leavesOutDuplicates && isDuplicate(index, list)) return false;
	return list.settings.output !== 'failed' || isFailedPerson(index, list);
}

function isDuplicate(index: number, { report }: FinishedList): boolean {
	return report.outcomes[index]?.status === 'duplicate';
}

/** Whether the run failed for a person. A duplicate is registered when the earlier person is. */
function isFailedPerson(index: number, { plan, report }: FinishedList): boolean {
	return isFailed(report.outcomes[plan.firstOf.get(index) ?? index] ?? nothingKnown);
}

function personOutput(index: number, list: FinishedList): INodeExecutionData {
	const { n8n } = list.run;
	// Somebody without a row is paired to nobody's. Without a list, n8n would pair such an item to the only row of the input.
	const pairedItem = index < list.people.length ? { item: index } : [];
	const row = personRow(index, list);
	const hasErrorOutput = n8n.getNode().onError === 'continueErrorOutput';
	// A step behind the output for successes, such as a mail, would reach the person twice.
	const isRepeated = hasErrorOutput && isDuplicate(index, list);
	const isError = isFailedPerson(index, list) && n8n.continueOnFail();
	if (!isError && !isRepeated) return { json: row, pairedItem };
	const verb = isDuplicate(index, list) ? 'sent' : list.words.pastParticiple;
	const message = `${describePerson(row)} was not ${verb}: ${text(row.reason) || text(row.status)}`;
	if (!hasErrorOutput) return { json: { ...row, error: message }, pairedItem };
	// An item with nothing but `error` goes to the error output, where n8n adds the values of the paired item, which must not
	// be another person's. Of a thrown error it keeps only the message.
	return { json: { error: { message, ...row } }, pairedItem };
}

/** Writes one person as a short flat row, so that a table shows it at a glance. */
function personRow(index: number, { people, plan, report, settings }: FinishedList): IDataObject {
	const row = plan.people[index];
	const outcome = report.outcomes[index] ?? nothingKnown;
	const { status, person, changes } = outcome;
	const reasons = reasonsBeside(outcome);
	const code = reasons[0]?.code ?? null;
	const details = settings.includesDetails;
	const { [joinLinkColumn]: joinLink = null, ...record } = person ?? {};
	return {
		email: row?.email ?? null,
		status,
		...(changes && {
			changes: details ? changes : changes.map(changeInWords).join('; ') || null,
		}),
		reason: reasonOf(reasons) ?? null,
		code: code === status ? null : code,
		name: nameOfPerson(row, person) ?? null,
		row: index < people.length ? index + 1 : null,
		person_id: person?.id ?? null,
		session_id: row?.sessionId || null,
		job_id: 'jobId' in outcome ? (outcome.jobId ?? null) : null,
		...(settings.includesJoinLink && { [joinLinkColumn]: isRegistered(status) ? joinLink : null }),
		...(details && {
			person: person ? record : null,
			errors: outcome.reasons.map(({ code, message }) => ({ code, message })),
		}),
	};
}

/** Whether the person is registered, so that a link to the session belongs to the row. */
function isRegistered(status: Preview['status']): boolean {
	return status === 'already_registered' || newlyRegisteredStatuses.includes(status);
}

function describePerson({ email, name, row }: IDataObject): string {
	if (email !== null) return excerpt(text(email), longestQuotedAddress);
	if (row === null) return text(name) || 'A person without a name';
	return name === null ? `The person in row ${text(row)}` : `${text(name)} (row ${text(row)})`;
}

/** Describes a change: "company: Acme → NewCorp", "topics: (empty) → a, b". */
function changeInWords({ field, ...values }: Change): string {
	const [oldText, newText] = [values.old, values.new].map((value) => {
		const texts = [value].flat().map((part) => text(part) || (part ? JSON.stringify(part) : ''));
		return texts.filter((part) => part !== '').join(', ') || '(empty)';
	});
	return `${field}: ${oldText} → ${newText}`;
}
