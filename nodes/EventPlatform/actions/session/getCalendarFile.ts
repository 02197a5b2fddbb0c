import { WithFile, type Operation } from '../operation';
import type { ItemContext } from '../runContext';
import { withDates } from '../../core/records/outputDates';
import { optionsField, textField } from '../../fields/fieldBuilders';
import { sessionLocator } from '../../fields/locators';
import { writeCalendarFile } from '../../core/calendar/calendarFile';
import { entryOf, parseWebAddress } from '../../core/calendar/sessionEntry';
import { Failure } from '../../core/client/failure';
import { InvalidSegment } from '../../core/client/path';
import { fileName } from '../../core/files/link';
import type { SessionRead } from '../../core/sessions/readSession';
import { text } from '../../core/values/text';

export const getCalendarFile: Operation = {
	action: 'Get calendar file of session',
	description: 'Return the date of a session as an .ics file, to attach to an invitation',
	mayOverlap: true,
	fields: [
		sessionLocator,
		optionsField([
			textField('binaryPropertyName', 'Name of the output field for the file', {
				displayName: 'Put Output File in Field',
				default: 'data',
			}),
			textField(
				'joinLink',
				"The 'join_link' of the person who gets the file. Anybody with the file can enter as that person. If empty, the page of the event.",
				{ placeholder: 'e.g. {{ $json.join_link }}' },
			),
		]),
	],
	async run(item) {
		const { sessions, clock, n8n, parameters } = item;
		const sessionId = parameters.id('sessionId');
		const joinLink = readJoinLink(item);
		const { session } = await sessions.read(sessionId);
		const event = await readEventIfShown(item, sessionId);
		const madeAt = clock.now() / 1_000;
		const entry = entryOf({ session, event }, joinLink, madeAt);
		if (entry === undefined) {
			throw parameters.parameterError(
				'The session has no date yet',
				"Set a start on the platform or with 'Update', then run this again.",
			);
		}
		const file = new TextEncoder().encode(writeCalendarFile(entry, madeAt));
		const name = fileName(`${entry.title}.ics`, 'session.ics');
		const { binaryPropertyName } = parameters.chosen('options');
		const field = text(binaryPropertyName).trim() || 'data';
		const binary = await n8n.helpers.prepareBinaryData(Buffer.from(file), name, 'text/calendar');
		const { title, startsAt, endsAt, isCanceled } = entry;
		const record = {
			session_id: text(session.id),
			title,
			starts_at: startsAt,
			ends_at: endsAt,
			is_canceled: isCanceled,
			has_join_link: joinLink !== undefined,
			file_name: name,
		};
		return new WithFile(withDates(record, parameters.zone), { [field]: binary });
	},
};

/** Reads the personal link; undefined where the option was not added, or gives nothing for this person. */
function readJoinLink({ parameters, notes }: ItemContext): string | undefined {
	const { joinLink } = parameters.chosen('options');
	if (joinLink === undefined) return undefined;
	const entered = text(joinLink).trim();
	if (entered === '' || entered === 'null' || entered === 'undefined') {
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

/** Reads the event of a session; undefined where the platform does not show it. The time of the session is known nevertheless. */
async function readEventIfShown(
	{ sessions }: ItemContext,
	sessionId: string,
): Promise<SessionRead['event']> {
	return await sessions.readEvent(sessionId).catch((error: unknown) => {
		if (error instanceof Failure || error instanceof InvalidSegment) return undefined;
		throw error;
	});
}
