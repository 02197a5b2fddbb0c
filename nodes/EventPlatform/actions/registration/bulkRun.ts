import { NodeOperationError, type IDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { failureText } from '../../core/failures/messages';
import { attributesOf } from '../../core/client/document';
import { text } from '../../core/values/text';
import { addressesSentByOthers } from '../../core/jobs/assign';
import { sentPersonOf } from '../../core/bulk/ledger';
import type { Row } from '../../core/people/row';
import { joinLinkColumn } from '../../core/records/joinLink';
import { createBreaks } from '../../core/client/breaks';
import { rememberPeople } from '../../core/jobs/jobPeople';
import type { Failure } from '../../core/client/failure';
import { knownEmailUse, readEmailUse, emailIsReplaced } from '../../core/people/emailUse';
import { sessionOf, type SessionRead } from '../../core/sessions/readSession';
import type { SyncParts } from '../../core/sync/readSessions';
import { named } from '../../form/formField';
import { noteColumns, type Shown } from '../../form/formNotes';
import { personFields, type Mapping, type Registrant } from '../../form/personFields';
import { registrationFields, unknownChoices } from '../../fields/registrationFields';
import { nobody, registrantOf } from '../../form/registrant';
import { shownTime } from '../../fields/dates';
import { choiceField, options, switchFields, type Choices } from '../../fields/field';
import type { Read } from '../../fields/read';
import { maxWaitField } from '../../fields/recordFields';
import type { Run } from '../operation';
import { shape } from '../records';

/* What Bulk Register and Sync share: some of their fields, the people, and what a run works with. */

export const oldAnswersStay = "To change their answers, use the operation 'Update'.";

export function fieldsOfList(
	output: { failed: Choices[string]; everyone: string; displayOptions?: IDisplayOptions },
	ownOptions: INodeProperties[],
): INodeProperties[] {
	const { failed, everyone, displayOptions } = output;
	const summary = 'One item for each session, with counts';
	const choices = { failed, people: everyone, summary };
	return [
		...registrationFields,
		choiceField('output', choices, 'people', 'What the node returns', { displayOptions }),
		options([
			...ownOptions,
			...switchFields(true, {
				includeDetails:
					'Whether to also return the record of each person and all reasons that the platform gave',
				leaveOutDuplicates:
					'Whether to return no item for a row whose person stands in an earlier row of the same session. The counts still have it.',
			}),
			maxWaitField(
				"Max duration of the run. People who were sent and have no result by then are 'unknown' and keep their job ID.",
			),
			unknownChoices,
		]),
	];
}

export async function prepare<Own>(run: Run, ownSettings: (read: Read) => Own) {
	const { api, apiRoot, clock, signal, context } = run;
	const zone = context.getTimezone();
	const settings = await forAllItems(run, (read) => ({
		output: read.text('output'),
		maxWaitSeconds: read.maxWaitSeconds(),
		includesDetails: read.option('includeDetails'),
		leavesOutDuplicates: read.option('leaveOutDuplicates'),
		includesJoinLink: read.option('includeJoinLink'),
		...ownSettings(read),
	}));
	const people: Registrant[] = [];
	const takeBreak = createBreaks(clock, signal);
	for (const itemIndex of context.getInputData().keys()) {
		await takeBreak();
		const read = run.read(itemIndex);
		const asRow = (error: unknown) => withProblem(error, read);
		people.push(await registrantOf(api, read, { readsForm: true }).catch(asRow));
	}
	const shown: Shown = new Map();
	const nameSession = (read: SessionRead) => sessionName(read, zone);
	const parts = {
		api,
		clock,
		signal,
		nameSession,
		explain(failure: Failure, jobId?: string) {
			const about = { what: 'the session', scope: 'events', jobId };
			const { title, description } = failureText(failure, about);
			const session = sessionOf(api, failure.request);
			return `${session ? `${nameSession(session)}: ` : ''}${title}. ${description}`;
		},
		show(fields) {
			noteColumns(fields, shown);
			const brief = ['id', 'first_name', 'last_name'];
			const person = settings.includesDetails
				? shape(fields, zone)
				: Object.fromEntries(brief.map((field) => [field, fields.get(field) ?? null]));
			return settings.includesJoinLink ? { ...person, [joinLinkColumn]: fields.joinLink } : person;
		},
		// A long run is watched in n8n's log, so this is no detail for debugging.
		log: (message) => context.logger.info(message),
		// A trigger that hears of the job's end may have to say whom the platform refused.
		onJob(job) {
			const ofJob = job.people.flatMap((index) => people[index] ?? []);
			const emails = ofJob.map(({ email = '' }) => email);
			const shared = addressesSentByOthers(ofJob.map(sentPersonOf));
			const sentByOthers = shared.size > 0 ? shared : undefined;
			rememberPeople(apiRoot, job.id, { sessionId: job.sessionId, emails, sentByOthers });
		},
		emailUse: (sessionId, ask) => readEmailUse(api, sessionId, ask),
	} satisfies SyncParts;
	return { run, settings, people, shown, parts };
}

/** Says which sessions belong to public events, as far as their forms or the results of the run have shown; empty: none. */
export function hintsOfPublicEvents(
	run: Pick<Run, 'api' | 'context'>,
	people: readonly Row[],
	shown: ReadonlySet<string> = new Set(),
): string[] {
	const ids = [...new Set(people.map(({ sessionId }) => sessionId))].filter(
		(id) => shown.has(id) || (id !== '' && knownEmailUse(run.api, id) === 'replaced'),
	);
	const names = ids.slice(0, mostNamed).map((id) => sessionNamed(run, id));
	const more = ids.length - names.length;
	if (ids.length === 0) return [];
	return [emailIsReplaced([...names, ...(more > 0 ? [`${more} more sessions`] : [])])];
}

const mostNamed = 5;

export type Prepared = Awaited<ReturnType<typeof prepare<object>>>;

/** An expression that gives items different settings cannot be meant. */
async function forAllItems<Settings>(
	run: Run,
	settings: (read: Read) => Settings,
): Promise<Settings> {
	const first = settings(run.read(0));
	const expected = JSON.stringify(first);
	const takeBreak = createBreaks(run.clock, run.signal);
	for (const itemIndex of run.context.getInputData().keys()) {
		await takeBreak();
		const read = run.read(itemIndex);
		if (JSON.stringify(settings(read)) === expected) continue;
		throw read.refusal(
			'The options are not the same for all items',
			`Items 1 and ${itemIndex + 1} give different ones. Nothing was sent. Use an expression that gives every item the same value.`,
		);
	}
	return first;
}

/** Gives the row of an item whose parameter cannot be meant: that concerns this item alone. */
function withProblem(error: unknown, read: Read): Registrant {
	if (!(error instanceof NodeOperationError)) throw error;
	// Sync removes nobody whose address stands in a row, whatever else of the row cannot be read.
	return { ...nobody(error.message), email: emailIn(read) };
}

/** Of an item that has a problem already nothing but the address is looked for. */
const addressAlone: Mapping = {
	questions: named,
	others: 'ignore',
	explicit: new Set(),
	unknownChoices: 'send',
	isKnown: true,
};

/** The address of an item that has a problem already; undefined where its fields cannot be read either. */
function emailIn(read: Read): string | undefined {
	try {
		return personFields(read.mapped().values, addressAlone).email;
	} catch {
		return undefined;
	}
}

/** The session as people know it, by its ID where this run has not read it; at the beginning of a sentence. */
export function sessionNamed({ api, context }: Pick<Run, 'api' | 'context'>, id: string): string {
	const read = sessionOf(api, { path: `/sessions/${encodeURIComponent(id)}` });
	return read ? sessionName(read, context.getTimezone()) : `The session ${id}`;
}

/** "'Product Tour' (29 Nov 10:00 Europe/Paris)": the session as people know it, rather than its id. */
function sessionName({ session, event }: SessionRead, workflowZone: string): string {
	const { name, estimated_started_at: start, timezone } = attributesOf(session);
	const titles = [event ? text(attributesOf(event).title) : '', text(name)].filter(Boolean);
	const zone = text(timezone) || workflowZone;
	const time = Number(start) > 0 ? shownTime(start, zone) : undefined;
	const what = titles.length > 0 ? `'${titles.join(', ')}'` : `The session ${text(session.id)}`;
	return time === undefined ? what : `${what} (${time} ${zone})`;
}
