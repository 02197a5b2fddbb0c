import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { nobodyRegistered, outcomesOf, type ReportedPerson } from '../../core/registration/report';
import type { Registrant } from '../../form/registrant';
import { reasonsBeside, type Change, type Preview } from '../../core/people/outcome';
import { nameOfPerson } from '../../core/people/peopleInWords';
import { createYielder } from '../../core/client/clock';
import { describeWaits, thousands } from '../../core/client/usage';
import { excerpt, text } from '../../core/values/text';
import { reasonOf } from '../../core/people/reason';
import {
	missingAnswers,
	droppedAnswers,
	hintsBeforeSending,
	hintsOfDroppedAnswers,
	hintsOfMissingAnswers,
} from '../../form/hints';
import { isFailed, nothingSent, pairedItemOf, type FinishedList } from './finishedList';
import { hintsOfLeftOutTracking } from './leftOutHints';
import { jobOutputs } from './jobOutputs';
import { headlineOf } from './listHeadline';
import { summaryOutputs } from './summaryOutputs';
import { joinLinkColumn } from '../../core/values/secretNames';

const newlyRegisteredStatuses: ReadonlyArray<Preview['status']> = [
	'registered',
	'added',
	'valid',
	'would_add',
];
/** The most characters of an address that a message quotes. No address that a mail can reach is longer (RFC 5321). */
const longestQuotedAddress = 254;

export const adviceWithoutRequests =
	'Wait for the new month, send fewer people, or buy an add-on for more requests.';

export async function finishList(list: FinishedList): Promise<INodeExecutionData[]> {
	const { run, report, settings, words, hints } = list;
	const { people, reasonNotToBegin, unreached, answerColumns } = report;
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
	const newPeople = newRegistrants(list);
	const peopleWithRecord = newRegistrants(list, ({ outcome }) => outcome.person !== undefined);
	const answerHints = [
		hintsOfEmptyRows(run.n8n.getInputData().length - list.people.length),
		hintsOfLeftOutTracking(report.leftOut ?? []),
		hintsBeforeSending(list.people),
		hintsOfDroppedAnswers(droppedAnswers(peopleWithRecord, answerColumns)),
		hintsOfMissingAnswers(missingAnswers(newPeople), isDryRun),
	];
	run.notes.hint(headline);
	for (const hint of [...hints, ...answerHints.flat()]) run.notes.hint(hint);
	if (unreached && failsOnError) throw unreached;
	const fruitlessRun = isDryRun ? undefined : nobodyRegistered(outcomesOf(report));
	if (fruitlessRun && failsOnError) {
		const description = `${fruitlessRun.reason} To get an item for each person, set 'On Error' of the node to 'Continue (using error output)'.`;
		throw new NodeOperationError(run.n8n.getNode(), fruitlessRun.message, { description });
	}
	if (output === 'jobs') {
		const { items, peopleWithoutJob } = jobOutputs(list);
		return [...items, ...(await personOutputs(peopleWithoutJob, list))];
	}
	// A summary on the branch of the successes would look like one.
	if (output === 'summary' && !fruitlessRun) {
		return summaryOutputs(list);
	}
	return await personOutputs(people, list);
}

function hintsOfEmptyRows(count: number): string[] {
	if (count === 0) return [];
	return [
		count === 1
			? 'The last row is empty and was left out.'
			: `The last ${thousands(count)} rows are empty and were left out.`,
	];
}

function newRegistrants(
	{ people: registrants, report }: FinishedList,
	isWanted: (person: ReportedPerson) => boolean = () => true,
): Registrant[] {
	const wantedRows = new Set(
		report.people
			.filter(
				(person) => newlyRegisteredStatuses.includes(person.outcome.status) && isWanted(person),
			)
			.map(({ rowNumber }) => rowNumber),
	);
	return registrants.filter((_, index) => wantedRows.has(index + 1));
}

async function personOutputs(
	people: readonly ReportedPerson[],
	list: FinishedList,
): Promise<INodeExecutionData[]> {
	const yieldIfDue = createYielder(list.run.clock);
	const items: INodeExecutionData[] = [];
	for (const person of people) {
		if (isShown(person, list)) items.push(personOutput(person, list));
		await yieldIfDue();
	}
	return items;
}

function isShown(person: ReportedPerson, { settings }: FinishedList): boolean {
	if (settings.leavesOutDuplicates && isDuplicate(person)) return false;
	// A duplicate is what the earlier person is.
	const { outcome } = person.first ?? person;
	if (settings.output === 'changes') return outcome.status !== 'unchanged';
	return settings.output !== 'failed' || isFailed(outcome);
}

function isDuplicate({ outcome }: ReportedPerson): boolean {
	return outcome.status === 'duplicate';
}

function isFailedPerson(person: ReportedPerson): boolean {
	return isFailed((person.first ?? person).outcome);
}

function personOutput(person: ReportedPerson, list: FinishedList): INodeExecutionData {
	const { n8n } = list.run;
	// Somebody without a row is paired to nobody's. Without a list, n8n would pair such an item to the only row of the input.
	const pairedItem = pairedItemOf(person) ?? [];
	const row = personRow(person, list);
	const hasErrorOutput = n8n.getNode().onError === 'continueErrorOutput';
	// A step behind the output for successes, such as a mail, would reach the person twice.
	const isRepeated = hasErrorOutput && isDuplicate(person);
	const isError = isFailedPerson(person) && n8n.continueOnFail();
	const withColumns = (json: IDataObject) => ({ ...json, ...columnsToCorrect(person, list, json) });
	if (!isError && !isRepeated) return { json: withColumns(row), pairedItem };
	const verb = isDuplicate(person) ? 'sent' : list.words.pastParticiple;
	const message = `${describePerson(row)} was not ${verb}: ${text(row.reason) || text(row.status)}`;
	if (!hasErrorOutput) return { json: withColumns({ ...row, error: message }), pairedItem };
	// An item with nothing but `error` goes to the error output, where n8n adds the values of the paired item, which must not
	// be another person's. Of a thrown error it keeps only the message.
	return { json: { error: { message, ...row } }, pairedItem };
}

function personRow(
	{ row, rowNumber, outcome }: ReportedPerson,
	{ settings }: FinishedList,
): IDataObject {
	const { status, person, changes } = outcome;
	const reasons = reasonsBeside(outcome);
	const code = reasons[0]?.code ?? null;
	const details = settings.includesDetails;
	const { [joinLinkColumn]: joinLink = null, ...record } = person ?? {};
	return {
		email: row.email ?? null,
		status,
		...(changes && {
			changes: details ? changes : changes.map(changeInWords).join('; ') || null,
		}),
		reason: reasonOf(reasons) ?? null,
		code: code === status ? null : code,
		name: nameOfPerson(row, person) ?? null,
		row: rowNumber ?? null,
		person_id: person?.id ?? null,
		session_id: row.sessionId || null,
		job_id: 'jobId' in outcome ? (outcome.jobId ?? null) : null,
		...(settings.includesJoinLink && { [joinLinkColumn]: isRegistered(status) ? joinLink : null }),
		...(details && {
			person: person ? record : null,
			errors: outcome.reasons.map(({ code, message }) => ({ code, message })),
		}),
	};
}

const statusesToCorrect: ReadonlyArray<Preview['status']> = ['invalid', 'failed'];

/**
 * Gives the columns of the input, where the details are wanted, for a file of the rows to correct. A column that has the name of one of
 * ours, and another value, gets `_input` behind its name.
 */
function columnsToCorrect(
	{ rowNumber, outcome }: ReportedPerson,
	{ run, settings }: FinishedList,
	ours: IDataObject,
): IDataObject {
	if (!settings.includesDetails || !statusesToCorrect.includes(outcome.status)) return {};
	if (rowNumber === undefined) return {};
	const columns = run.n8n.getInputData()[rowNumber - 1]?.json ?? {};
	const named = Object.entries(columns).flatMap(([name, value]) => {
		if (!(name in ours)) return [[name, value]];
		const isSame = text(value).trim() === text(ours[name]);
		const freeName = `${name}_input`;
		return isSame || freeName in columns ? [] : [[freeName, value]];
	});
	return Object.fromEntries(named) as IDataObject;
}

function isRegistered(status: Preview['status']): boolean {
	return status === 'already_registered' || newlyRegisteredStatuses.includes(status);
}

function describePerson({ email, name, row }: IDataObject): string {
	if (email !== null) return excerpt(text(email), longestQuotedAddress);
	if (row === null) return text(name) || 'A person without a name';
	return name === null ? `The person in row ${text(row)}` : `${text(name)} (row ${text(row)})`;
}

function changeInWords({ field, ...values }: Change): string {
	const [oldText, newText] = [values.old, values.new].map((value) => {
		const texts = [value].flat().map((part) => text(part) || (part ? JSON.stringify(part) : ''));
		return texts.filter((part) => part !== '').join(', ') || '(empty)';
	});
	return `${field}: ${oldText} → ${newText}`;
}
