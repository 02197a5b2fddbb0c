import type { IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';
import { createYielder } from '../../core/client/clock';
import {
	reasonsBeside,
	traitsOfStatus,
	type Change,
	type Outcome,
	reasonOf,
} from '../../core/people/outcome';
import { namePlatform } from '../../core/failures/platformName';
import { nameOfPerson } from '../../core/people/peopleInWords';
import type { Candidate, PersonOutcome } from '../../core/registration/candidate';
import type { SentJob } from '../../core/registration/jobReader';
import { jobRecord } from '../../core/jobs/jobRequests';
import { summarize, type RunOutcome } from '../../core/registration/runOutcome';
import type { Registrant } from '../../form/registrant';
import { readReportedSession } from '../../core/report/reportedSession';
import { startColumns } from '../../core/sessions/start';
import { groupBy } from '../../core/values/collections';
import { joinLinkColumn } from '../../core/values/secrets';
import { excerpt, text } from '../../core/values/text';
import { workflowZone } from '../../n8n/workflowZone';
import type { RunContext } from '../runContext';
import type { ListSettings } from './prepareList';

/* The items of a list that is done: people, jobs, or one for each session. */

interface RunWords {
	readonly run: string;
	/** The word for what is done with people: "registered". Sentences about failures say that somebody was not. */
	readonly pastParticiple: string;
	/** The error of a run that has done nothing for anybody. Those whom Sync could not update or remove are registered all the same. */
	readonly errorMessage: (counts: string) => string;
	readonly statuses?: readonly string[];
	readonly dryRunPrefix?: string;
	/** Advice for a run that is refused for another reason than the month's requests, by the code of the reason. */
	readonly refused?: Readonly<Record<string, string>>;
}

export interface FinishedList {
	readonly run: RunContext;
	readonly settings: ListSettings;
	readonly people: readonly Registrant[];
	/** The people of the items come first. */
	readonly runOutcome: RunOutcome;
	readonly words: RunWords;
	readonly hints: readonly string[];
}

export function pairedItemOf({ rowNumber }: PersonOutcome): IPairedItemData | undefined {
	return rowNumber === undefined ? undefined : { item: rowNumber - 1 };
}

/** A run that waits for nobody does not tell what became of people whom it sent. */
export function isAwaited({ reasons: [reason] }: Pick<Outcome, 'reasons'>): boolean {
	return reason?.code !== 'not_awaited';
}

export function isFailed(outcome: Pick<Outcome, 'status' | 'reasons'>): boolean {
	return traitsOfStatus[outcome.status].isFailed === true && isAwaited(outcome);
}

/** `isFruitless`: nothing was done for anybody. */
export async function listItems(
	list: FinishedList,
	isFruitless: boolean,
): Promise<INodeExecutionData[]> {
	const { output } = list.settings;
	if (output === 'jobs') {
		const { items, peopleWithoutJob } = jobOutputs(list);
		return [...items, ...(await personOutputs(peopleWithoutJob, list))];
	}
	// A summary on the branch of the successes would look like one.
	if (output === 'summary' && !isFruitless) return summaryOutputs(list);
	return await personOutputs(list.runOutcome.people, list);
}

async function personOutputs(
	people: readonly PersonOutcome[],
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

function isShown(person: PersonOutcome, { settings }: FinishedList): boolean {
	if (settings.leavesOutDuplicates && isDuplicate(person)) return false;
	const { status } = ownOrFirst(person);
	if (settings.output === 'changes') return status !== 'unchanged';
	return settings.output !== 'failed' || isFailedPerson(person);
}

function isDuplicate({ outcome }: PersonOutcome): boolean {
	return outcome.status === 'duplicate';
}

function isFailedPerson(person: PersonOutcome): boolean {
	return isFailed(ownOrFirst(person));
}

/** A duplicate is what the earlier person is. */
function ownOrFirst({ first, outcome }: PersonOutcome): Outcome {
	return first?.outcome ?? outcome;
}

function personOutput(person: PersonOutcome, list: FinishedList): INodeExecutionData {
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
	{ row, rowNumber, outcome }: PersonOutcome,
	{ run, settings }: FinishedList,
): IDataObject {
	const { status, person, changes } = outcome;
	const reasons = reasonsBeside(outcome);
	const code = reasons[0]?.code ?? null;
	const details = settings.includesDetails;
	const named = (reason?: string) => reason && namePlatform(reason, run.apiRoot);
	const { [joinLinkColumn]: joinLink = null, ...record } = person ?? {};
	return {
		email: row.email || null,
		status,
		...(changes && {
			changes: details ? changes : changes.map(changeInWords).join('; ') || null,
		}),
		reason: named(reasonOf(reasons)) ?? null,
		code: code === status ? null : code,
		name: nameOfPerson(row, person) ?? null,
		row: rowNumber ?? null,
		person_id: person?.id ?? null,
		session_id: row.sessionId || null,
		job_id: outcome.jobId ?? null,
		...(settings.includesJoinLink && { [joinLinkColumn]: isRegistered(status) ? joinLink : null }),
		...(details && {
			person: person ? record : null,
			errors: outcome.reasons.map(({ code, message }) => ({ code, message: named(message) })),
		}),
	};
}

/**
 * A file of the rows to correct needs the columns of the input. A column that has the name of one of ours, and another value, gets
 * `_input` behind its name.
 */
function columnsToCorrect(
	{ rowNumber, outcome }: PersonOutcome,
	{ run, settings }: FinishedList,
	ours: IDataObject,
): IDataObject {
	if (!settings.includesDetails || !traitsOfStatus[outcome.status].isToCorrect) return {};
	if (rowNumber === undefined) return {};
	const columns = run.n8n.getInputData()[rowNumber - 1]?.json ?? {};
	const named = Object.entries(columns).flatMap(([name, value]) => {
		if (!Object.hasOwn(ours, name)) return [[name, value]];
		const isSame = text(value).trim() === text(ours[name]);
		const freeName = `${name}_input`;
		return isSame || Object.hasOwn(columns, freeName) ? [] : [[freeName, value]];
	});
	return Object.fromEntries(named) as IDataObject;
}

function isRegistered(status: Outcome['status']): boolean {
	return status === 'already_registered' || traitsOfStatus[status].isNew === true;
}

/** The most characters of an address that a message quotes. No address that a mail can reach is longer (RFC 5321). */
const longestQuotedAddress = 254;

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

interface JobOutputs {
	items: INodeExecutionData[];
	peopleWithoutJob: readonly PersonOutcome[];
}

function jobRecordOf({ sessionId, people, accepted }: SentJob): IDataObject {
	const { id = null, ...counts } = jobRecord(accepted);
	return {
		job_id: id,
		session_id: sessionId,
		...counts,
		total_items: counts.total_items ?? people.length,
	};
}

function jobOutputs({ runOutcome: { jobs, people } }: FinishedList): JobOutputs {
	const sentJobs = jobs.filter((job) => 'accepted' in job);
	const jobOf = new Map<Candidate, SentJob>(
		sentJobs.flatMap((job) => job.people.map((person) => [person, job] as const)),
	);
	const peopleByJob = groupBy(people, (person) => jobOf.get(person.first ?? person));
	const items = sentJobs.map((job) => ({
		json: jobRecordOf(job),
		pairedItem: peopleByJob.get(job)?.flatMap((person) => pairedItemOf(person) ?? []),
	}));
	return { items, peopleWithoutJob: peopleByJob.get(undefined) ?? [] };
}

function summaryOutputs({ run, runOutcome, words }: FinishedList): INodeExecutionData[] {
	return summarize(runOutcome, words.statuses).map(({ people, sessionId, record }) => ({
		json: { session_id: sessionId || null, ...sessionColumns(sessionId, run), ...record },
		pairedItem: people.flatMap((person) => pairedItemOf(person) ?? []),
	}));
}

/** A session that the run did not read for another reason is not read for these columns, and has nulls. */
function sessionColumns(
	sessionId: string,
	{ sessions, clock, n8n }: RunContext,
): Record<'title' | 'session' | 'start' | 'start_text', string | null> {
	const session = sessions.find(sessionId);
	if (!session) return { title: null, session: null, start: null, start_text: null };
	const reported = readReportedSession(session, clock.now());
	const { title = null, name = null } = reported;
	return { title, session: name, ...startColumns(reported, workflowZone(n8n)) };
}
