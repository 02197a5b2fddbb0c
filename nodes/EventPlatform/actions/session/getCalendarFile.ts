import type { INodeExecutionData } from 'n8n-workflow';
import { WithFile, type ItemOperation } from '../operation';
import {
	parametersOf,
	readSameForAllItems,
	type ItemContext,
	type RunContext,
} from '../runContext';
import { withDates } from '../../core/records/outputDates';
import { numberField, optionsField, switchField, textField } from '../../fields/fieldBuilders';
import { sessionLocator } from '../../fields/locators';
import { outputFileField } from '../../fields/outputFile';
import { calendarLinksOf } from '../../core/calendar/calendarLinks';
import { writeCalendarFile, type CalendarEntry } from '../../core/calendar/calendarFile';
import { mapConcurrently, usuallyAtOnce } from '../../core/client/concurrently';
import { fileName } from '../../core/files/fileName';
import { groupBy, largestOf, smallestOf } from '../../core/values/collections';
import { text, thousands } from '../../core/values/text';
import { toNodeError } from '../../n8n/nodeError';
import { asFileName, makeBinary, readEntry, type ReadEntry } from './readEntry';

export const getCalendarFile: ItemOperation = {
	action: 'Get calendar file of session',
	description: 'Return the date of a session as an .ics file, to attach to an invitation',
	mayOverlap: true,
	fields: [
		sessionLocator,
		optionsField([
			outputFileField,
			textField('description', 'Sentence before the link, instead of an English one', {
				displayName: 'Sentence Before Link',
				placeholder: 'e.g. Ihr persönlicher Link, nur für Sie:',
			}),
			textField(
				'joinLink',
				"The 'join_link' of the person who gets the file. Anybody with the file can enter as that person. If empty, the page of the event.",
				{ placeholder: 'e.g. {{ $json.join_link }}' },
			),
			switchField(
				'oneFile',
				true,
				'Whether to put the sessions of all items into one calendar, such as one to subscribe to',
			),
			numberField('reminderMinutes', 15, 'Minutes before the start at which calendars remind', {
				displayName: 'Reminder (Minutes)',
				typeOptions: { minValue: 0 },
			}),
		]),
	],
	async run(item) {
		const { clock, parameters } = item;
		const nowSeconds = clock.now() / 1_000;
		const { session, entry, joinLink } = await readEntry(item, nowSeconds);
		if (entry === undefined) {
			throw parameters.parameterError('The session has no date yet', adviceWithoutDate);
		}
		const { title, startsAt, endsAt, isCanceled } = entry;
		const name = fileName(`${asFileName(title)}.ics`, 'session.ics');
		const record = {
			session_id: text(session.id),
			title,
			starts_at: startsAt,
			ends_at: endsAt,
			is_canceled: isCanceled,
			has_join_link: joinLink !== undefined,
			file_name: name,
			...calendarLinksOf(entry),
		};
		return new WithFile(
			withDates(record, parameters.zone),
			await makeBinary(item, writeCalendarFile([entry], nowSeconds), name),
		);
	},
	async runTogether(run) {
		// This option alone: an expression of another one may fail for its own item only.
		const isChosen = await readSameForAllItems(run, (parameters) => parameters.option('oneFile'));
		return isChosen ? await makeOneFile(run) : undefined;
	},
};

const adviceWithoutDate = "Set a start on the platform or with 'Update', then run this again.";

/** Makes one calendar of all items. One item that fails fails all: a calendar that lacks dates would look complete. */
async function makeOneFile(run: RunContext): Promise<INodeExecutionData[]> {
	const { n8n, clock, notes, signal } = run;
	const nowSeconds = clock.now() / 1_000;
	const itemIndexes = [...n8n.getInputData().keys()];
	const readItem = async (itemIndex: number, itemSignal: AbortSignal): Promise<ReadEntry> => {
		const parameters = parametersOf(run, itemIndex);
		try {
			return await readEntry({ ...run, parameters, signal: itemSignal }, nowSeconds);
		} catch (error) {
			const context = { itemIndex, what: 'the session', scope: 'events' };
			throw toNodeError(n8n.getNode(), error, context);
		}
	};
	const reads = await mapConcurrently(itemIndexes, usuallyAtOnce, readItem, signal);
	const item: ItemContext = { ...run, parameters: parametersOf(run, 0) };
	const datedReads = reads.filter(isDated);
	refuseDifferentLinks(reads, datedReads, item);
	const entries = entriesOnce(datedReads);
	const undatedCount = reads.filter(({ entry }) => entry === undefined).length;
	if (entries.length === 0) {
		throw item.parameters.parameterError('None of the sessions has a date yet', adviceWithoutDate);
	}
	if (undatedCount > 0) {
		notes.hint(
			`${thousands(undatedCount)} of ${thousands(reads.length)} sessions have no date yet and are not in the calendar.`,
		);
	}
	const [firstTitle = '', ...otherTitles] = new Set(reads.map(({ eventTitle }) => eventTitle));
	const calendarName = (otherTitles.length === 0 && firstTitle) || 'Webinars';
	const name = fileName(`${asFileName(calendarName)}.ics`, 'sessions.ics');
	const record = {
		session_count: entries.length,
		starts_at: smallestOf(entries.map(({ startsAt }) => startsAt)),
		ends_at: largestOf(entries.map(({ endsAt }) => endsAt)),
		has_join_link: datedReads.some(({ joinLink }) => joinLink !== undefined),
		file_name: name,
	};
	const json = withDates(record, item.parameters.zone);
	const binary = await makeBinary(item, writeCalendarFile(entries, nowSeconds, calendarName), name);
	return [{ json, binary, pairedItem: itemIndexes.map((index) => ({ item: index })) }];
}

type DatedRead = ReadEntry & { entry: CalendarEntry };

function isDated(read: ReadEntry): read is DatedRead {
	return read.entry !== undefined;
}

/**
 * Nothing shows that two personal links are those of one person, not even to different sessions, nor that two items of one session are,
 * where only one of them has a link.
 */
function refuseDifferentLinks(
	reads: readonly ReadEntry[],
	datedReads: readonly DatedRead[],
	{ parameters }: ItemContext,
): void {
	const links = new Set(reads.flatMap(({ joinLink }) => joinLink ?? []));
	const readsBySession = groupBy(datedReads, ({ entry }) => entry.uid);
	const isMixed = [...readsBySession.values()].some(([first, ...others]) =>
		others.some(({ joinLink }) => joinLink !== first?.joinLink),
	);
	if (links.size <= 1 && !isMixed) return;
	throw parameters.parameterError(
		"'One File' would put different personal links into one calendar",
		"The items may belong to several people. Remove 'One File', so that each item gives a file of its own, or remove 'Join Link'.",
	);
}

/** Each session once, the earliest first. */
function entriesOnce(reads: readonly DatedRead[]): CalendarEntry[] {
	const entries = new Map(reads.map(({ entry }) => [entry.uid, entry]));
	return [...entries.values()].sort((a, b) => a.startsAt - b.startsAt);
}
