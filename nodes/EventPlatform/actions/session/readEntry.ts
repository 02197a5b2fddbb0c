import type { IBinaryData } from 'n8n-workflow';
import type { CalendarEntry } from '../../core/calendar/calendarFile';
import { entryOf, parseWebAddress, type EntrySettings } from '../../core/calendar/sessionEntry';
import { attributesOf } from '../../core/client/document';
import type { SessionRead } from '../../core/sessions/readSession';
import { text } from '../../core/values/text';
import { readOutputFileField } from '../../fields/outputFile';
import { isNothing, wordsForNothing } from '../../fields/parameterValues';
import type { ItemContext } from '../runContext';
import type { Seconds } from '../../core/values/units';

export interface ReadEntry {
	session: SessionRead['session'];
	/** Empty: the event has none, or the platform does not show it. */
	eventTitle: string;
	entry?: CalendarEntry;
	joinLink?: string;
}

export async function readEntry(item: ItemContext, nowSeconds: Seconds): Promise<ReadEntry> {
	const { sessions, parameters } = item;
	const sessionId = parameters.id('sessionId');
	const settings = readEntrySettings(item);
	const { session, event } = await sessions.readWithEvent(sessionId);
	return {
		session,
		eventTitle: text(attributesOf(event ?? {}).title).trim(),
		entry: entryOf({ session, event }, settings, nowSeconds),
		joinLink: settings.joinLink,
	};
}

export async function makeBinary(
	{ n8n, parameters }: ItemContext,
	file: string,
	name: string,
): Promise<Record<string, IBinaryData>> {
	const binary = await n8n.helpers.prepareBinaryData(Buffer.from(file), name, 'text/calendar');
	return { [readOutputFileField(parameters)]: binary };
}

/** Writes a title without the characters that have a meaning in a path: "Tour: 9:30" becomes "Tour – 9.30". */
export function asFileName(title: string): string {
	const parts = title.split(/:(?!\d)/).map((part) => part.trim());
	return parts.filter(Boolean).join(' – ').replace(/:/g, '.').replace(/[\\/]/g, '-');
}

function readEntrySettings(item: ItemContext): EntrySettings {
	const { description, reminderMinutes } = item.parameters.chosen('options');
	return {
		joinLink: readJoinLink(item),
		sentence: isNothing(description, 'string') ? undefined : text(description).trim(),
		reminderMinutes: readReminder(item, reminderMinutes),
	};
}

/** Four weeks. Some calendars refuse an entry with an earlier reminder. */
const mostReminderMinutes = 40_320;

function readReminder({ parameters }: ItemContext, value: unknown): number | undefined {
	if (isNothing(value, 'number')) return undefined;
	const minutes = Number(value);
	if (Number.isInteger(minutes) && minutes >= 0 && minutes <= mostReminderMinutes) return minutes;
	throw parameters.parameterError(
		`'Reminder (Minutes)' must be a whole number from 0 to ${mostReminderMinutes}`,
	);
}

/** Reads the personal link; undefined where the option was not added, or gives nothing for this person. */
function readJoinLink({ parameters, notes }: ItemContext): string | undefined {
	const options = parameters.chosen('options');
	// An expression that names a column that is not there gives undefined.
	if (!('joinLink' in options)) return undefined;
	const { joinLink } = options;
	const entered = text(joinLink).trim();
	if (entered === '' || wordsForNothing.has(entered)) {
		notes.hint(
			"'Join Link' was empty for some items. Their files have the page of the event instead.",
		);
		return undefined;
	}
	const link = parseWebAddress(entered);
	if (link !== undefined) return link;
	// The value stays out of the message: most of a link may be in it.
	throw parameters.parameterError(
		"'Join Link' is not a web address",
		"It has to begin with https://, like the 'join_link' that 'Register' returns with 'Include Join Link'.",
	);
}
