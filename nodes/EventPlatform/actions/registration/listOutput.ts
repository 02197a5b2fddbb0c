import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { nobodyRegistered } from '../../core/bulk/report';
import { joinLinkColumn } from '../../core/records/simplify';
import { reasonsBeside, type Change, type Outcome, type Preview } from '../../core/people/outcome';
import { nameOfPerson } from '../../core/people/peopleInWords';
import type { Row } from '../../core/people/registration';
import { createBreaks } from '../../core/client/breaks';
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
import { isMissing, nothingSent, type FinishedList } from './finishedList';
import { jobOutputs } from './jobOutputs';
import { headlineOf } from './listHeadline';
import { summaryOutputs } from './summaryOutputs';

/** The statuses with which Bulk Register and Sync say that somebody is registered. */
const registered: ReadonlyArray<Preview['status'] | undefined> = [
	'registered',
	'added',
	'valid',
	'would_add',
];
const nothingKnown: Outcome = { status: 'unknown', reasons: [] };
/** No address that a mail can reach is longer. */
const longestAddress = 254;

export const untilMoreRequests =
	'Wait for the new month, send fewer people, or choose a larger plan.';

/** Tells what became of everyone, and gives the output; an error if the run was refused or reached nobody. */
export async function finishList(done: FinishedList): Promise<INodeExecutionData[]> {
	const { run, people, plan, report, settings, words, hints } = done;
	const { outcomes, reasonNotToBegin, unreached, answerColumns } = report;
	const { rehearses, output } = settings;
	const isStopped = !run.n8n.continueOnFail();
	if (reasonNotToBegin && isStopped && !rehearses) {
		const { code, message } = reasonNotToBegin;
		const next = code === 'quota_spent' ? untilMoreRequests : words.refused?.[code];
		const description = next === undefined ? nothingSent : `${nothingSent} ${next}`;
		throw new NodeOperationError(run.n8n.getNode(), message, { description });
	}
	const headline = headlineOf(done);
	const waits = describeWaits(run.api.usage);
	run.n8n.logger.info(`${words.run}: ${waits === undefined ? headline : `${headline}. ${waits}`}`);
	const isNew = (_: unknown, index: number) => registered.includes(outcomes[index]?.status);
	const back = people.filter((person, index) => isNew(person, index) && outcomes[index]?.person);
	const answers = [
		hintsBeforeSending(people),
		hintsOfDroppedAnswers(droppedAnswers(back, answerColumns)),
		hintsOfMissingAnswers(missingAnswers(people.filter(isNew)), rehearses),
	];
	run.notes.hint(headline, ...hints, ...answers.flat());
	if (unreached && isStopped) throw unreached;
	const nobody = rehearses ? undefined : nobodyRegistered(outcomes);
	if (nobody && isStopped) {
		const description = `${nobody.reason} To get an item for each person, set 'On Error' of the node to 'Continue (using error output)'.`;
		throw new NodeOperationError(run.n8n.getNode(), nobody.message, { description });
	}
	if (output === 'jobs') {
		const { items, inNoJob } = jobOutputs(done);
		return [...items, ...(await personOutputs(inNoJob, done))];
	}
	// A summary on the branch of the successes would look like one.
	if (output === 'summary' && !nobody) {
		return summaryOutputs(done);
	}
	return await personOutputs([...plan.people.keys()], done);
}

/** The items of these people, as far as they have one. */
async function personOutputs(
	indexes: readonly number[],
	done: FinishedList,
): Promise<INodeExecutionData[]> {
	const sessionStarts = startsOf(done.plan.people);
	const takeBreak = createBreaks(done.run.clock);
	const items: INodeExecutionData[] = [];
	for (const index of indexes) {
		if (isShown(index, done)) items.push(personOutput(index, done, sessionStarts));
		await takeBreak();
	}
	return items;
}

/** Whether a person has an item: those who are registered have none among the others, and duplicates none where nobody wants them. */
function isShown(index: number, done: FinishedList): boolean {
	if (done.settings.leavesOutDuplicates && isDuplicate(index, done)) return false;
	return done.settings.output !== 'failed' || isLeftOut(index, done);
}

function isDuplicate(index: number, { report }: FinishedList): boolean {
	return report.outcomes[index]?.status === 'duplicate';
}

/** A duplicate is registered when the earlier person is. */
function isLeftOut(index: number, { plan, report }: FinishedList): boolean {
	return isMissing(report.outcomes[plan.firstOf.get(index) ?? index] ?? nothingKnown);
}

function personOutput(
	index: number,
	done: FinishedList,
	sessionStarts: ReadonlyMap<string, number>,
): INodeExecutionData {
	const { n8n } = done.run;
	const isOfItem = index < done.people.length;
	const sessionId = done.plan.people[index]?.sessionId ?? '';
	const pairedItem = { item: isOfItem ? index : (sessionStarts.get(sessionId) ?? 0) };
	const row = personRow(index, done);
	const hasErrorOutput = n8n.getNode().onError === 'continueErrorOutput';
	// Whatever follows the other output, like a mail, would reach the person twice.
	const isRepeated = hasErrorOutput && isDuplicate(index, done);
	const isError = isLeftOut(index, done) && n8n.continueOnFail();
	if (!isError && !isRepeated) return { json: row, pairedItem };
	const verb = isDuplicate(index, done) ? 'sent' : done.words.done;
	const message = `${who(row)} was not ${verb}: ${text(row.reason) || text(row.status)}`;
	if (!hasErrorOutput) return { json: { ...row, error: message }, pairedItem };
	// An item with nothing but `error` goes to the error output, where n8n adds the values of the paired item, which must not
	// be another person's. Of a thrown error it keeps only the message.
	const json = { error: { message, ...row } };
	return isOfItem ? { json, pairedItem } : { json };
}

/** Gives the first row of each session. */
function startsOf(people: readonly Row[]): Map<string, number> {
	const starts = new Map<string, number>();
	for (const [index, { sessionId }] of people.entries()) {
		if (!starts.has(sessionId)) starts.set(sessionId, index);
	}
	return starts;
}

/** One person a line: flat and short, so that a table shows it at a glance. */
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
		...(settings.includesJoinLink && { [joinLinkColumn]: isReached(status) ? joinLink : null }),
		...(details && {
			person: person ? record : null,
			errors: outcome.reasons.map(({ code, message }) => ({ code, message })),
		}),
	};
}

/** Whether the person is registered, so that a link to the session belongs to the row. */
function isReached(status: Preview['status']): boolean {
	return status === 'already_registered' || registered.includes(status);
}

function who({ email, name, row }: IDataObject): string {
	if (email !== null) return excerpt(text(email), longestAddress);
	if (row === null) return text(name) || 'A person without a name';
	return name === null ? `The person in row ${text(row)}` : `${text(name)} (row ${text(row)})`;
}

/** "company: Acme → NewCorp", "topics: (empty) → a, b" */
function changeInWords({ field, ...values }: Change): string {
	const [oldText, newText] = [values.old, values.new].map((value) => {
		const texts = [value].flat().map((part) => text(part) || (part ? JSON.stringify(part) : ''));
		return texts.filter((part) => part !== '').join(', ') || '(empty)';
	});
	return `${field}: ${oldText} → ${newText}`;
}
