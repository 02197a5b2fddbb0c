import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import {
	countStatuses,
	headline,
	headlineOfPlan,
	nobodyRegistered,
	summarize,
	type Report,
} from '../../core/bulk/report';
import { joinLinkColumn } from '../../core/records/simplify';
import { reasonsBeside, type Change, type Outcome, type Status } from '../../core/people/outcome';
import { nameOfPerson } from '../../core/people/peopleInWords';
import type { Row } from '../../core/people/registration';
import type { Plan } from '../../core/bulk/plan';
import { readReportedSession } from '../../core/report/session';
import { isoTime } from '../../core/records/outputDates';
import { createBreaks } from '../../core/client/breaks';
import { describeWaits, thousands } from '../../core/client/usage';
import { groupBy } from '../../core/values/collections';
import { excerpt, text } from '../../core/values/text';
import { reasonOf, type Reason } from '../../core/people/reason';
import {
	missingAnswers,
	droppedAnswers,
	hintsBeforeSending,
	hintsOfDroppedAnswers,
	hintsOfMissingAnswers,
} from '../../form/hints';
import type { Registrant } from '../../form/registrant';
import type { RunContext } from '../runContext';
import type { ListSettings } from './prepareList';

/** How an operation speaks of its run. */
interface RunWords {
	/** "Sync" */
	readonly run: string;
	/** "registered", for a sentence that says that somebody was not. */
	readonly done: string;
	/** The statuses that a summary counts, if not those of a registration. */
	readonly statuses?: readonly string[];
	/** The beginning of the headline of a run that sent nothing. */
	readonly rehearsal?: string;
	/** Advice for a run that is refused for another reason than the month, by the code of the reason. */
	readonly refused?: Readonly<Record<string, string>>;
}

/** A run that is over, and how it is told. */
export interface FinishedList {
	readonly run: RunContext;
	readonly settings: ListSettings & { readonly rehearses: boolean };
	/** One person for each input item. */
	readonly people: readonly Registrant[];
	/** Its people begin with those of the items. */
	readonly plan: Pick<Plan, 'people' | 'firstOf'>;
	/** `reasonNotToBegin`: why nothing was, or would be, sent. */
	readonly report: Report & { reasonNotToBegin?: Reason };
	readonly words: RunWords;
	readonly hints: readonly string[];
}

/** In the words of Bulk Register and of Sync. */
const registered: ReadonlyArray<Status | undefined> = ['registered', 'added', 'valid', 'would_add'];
const nothingKnown: Outcome = { status: 'unknown', errors: [] };
const failures: readonly Status[] = ['failed', 'invalid', 'kept', 'not_updated', 'unknown'];
/** No address that a mail can reach is longer. */
const longestAddress = 254;

/** Said once of a run, whatever kept it from sending. */
const nothingSent = 'Nothing was sent.';

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
	if (output === 'jobs') return await jobOutputs(done);
	// A summary on the branch of the successes would look like one.
	if (output === 'summary' && !nobody) {
		return summaryOutputs(done);
	}
	return await personOutputs([...plan.people.keys()], done);
}

/** One flat item for each session, as a line of a table. */
function summaryOutputs({ run, people, plan, report, words }: FinishedList): INodeExecutionData[] {
	return summarize(plan, report, words.statuses).map(({ indexes, sessionId, record }) => ({
		json: { session_id: sessionId || null, ...sessionColumns(sessionId, run), ...record },
		pairedItem: indexes.filter((index) => index < people.length).map((item) => ({ item })),
	}));
}

/** What people know a session by. A session that the run had no other use for is not read for that, and has nulls. */
function sessionColumns(
	sessionId: string,
	{ sessions, clock, n8n }: RunContext,
): Record<'title' | 'session' | 'start', string | null> {
	const read = sessions.find(sessionId);
	if (!read) return { title: null, session: null, start: null };
	const { title = null, name = null, startsAt } = readReportedSession(read, clock.now());
	const start = startsAt === undefined ? null : isoTime(startsAt * 1_000, n8n.getTimezone());
	return { title, session: name, start };
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

/** The counts, and with them why the run ended, so that the cause stands wherever they are read. */
function headlineOf({ run, report, settings, words }: FinishedList): string {
	const { outcomes, jobs, requests, seconds, stop, reasonNotToBegin } = report;
	const { usage } = run.api;
	const awaited = outcomes.filter(isAwaited);
	const counts = countStatuses(awaited);
	const early = stop && `The run ended early. ${stop.message}`;
	if (settings.rehearses) {
		const { monthlyRemaining: left } = usage;
		const month =
			left === undefined ? undefined : `${thousands(left)} requests are left this month.`;
		const why = reasonNotToBegin && `A real run would stop here. ${reasonNotToBegin.message}`;
		const plan = `${words.rehearsal ?? ''}${headlineOfPlan(counts, requests, seconds)}`;
		return [plan, month, early ?? why].filter((sentence) => sentence !== undefined).join(' ');
	}
	const unawaited = outcomes.length - awaited.length;
	const sent = `${thousands(unawaited)} sent in ${thousands(jobs.length)} jobs, `;
	const counted = `${settings.output === 'jobs' ? sent : ''}${headline(counts, usage, seconds)}`;
	const why = early ?? (reasonNotToBegin && `${reasonNotToBegin.message} ${nothingSent}`);
	return why === undefined ? counted : `${counted}. ${why}`;
}

/** A run that waits for nobody does not tell what became of those whom it has sent. */
function isAwaited({ errors: [why] }: Outcome): boolean {
	return why?.code !== 'not_awaited';
}

export function isMissing(outcome: Outcome): boolean {
	return failures.includes(outcome.status) && isAwaited(outcome);
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
	const { status, jobId, person, changes, errors } = outcome;
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
		job_id: jobId ?? null,
		...(settings.includesJoinLink && { [joinLinkColumn]: isReached(status) ? joinLink : null }),
		...(details && {
			person: person ? record : null,
			errors: errors.map(({ code, message }) => ({ code, message })),
		}),
	};
}

/** Whether the person is registered, so that a link to the session belongs to the row. */
function isReached(status: Status): boolean {
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

/** Nobody waits: one item per job, paired to its people and to their duplicates; and who is in none. */
async function jobOutputs(done: FinishedList): Promise<INodeExecutionData[]> {
	const { people, firstOf } = done.plan;
	const { jobs } = done.report;
	const jobOf = new Map(jobs.flatMap((job) => job.indexes.map((index) => [index, job] as const)));
	const members = groupBy([...people.keys()], (index) => jobOf.get(firstOf.get(index) ?? index));
	return [
		...jobs.map((job) => ({
			json: {
				job_id: job.id,
				session_id: job.sessionId,
				status: job.status,
				total_items: job.indexes.length,
			},
			pairedItem: members.get(job)?.map((item) => ({ item })),
		})),
		...(await personOutputs(members.get(undefined) ?? [], done)),
	];
}
