import type { IDataObject } from 'n8n-workflow';
import { parseMoment } from '../core/dialect/time';
import { clockTime } from '../core/values/dates';
import type { JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { isTimeZone } from '../core/values/timeZone';
import { wallTime, zoneNamedLike } from './typedDates';
import type { ItemParameters } from './itemParameters';
import { isNothing, textOfLocator } from './parameterValues';

/* Reads the planned start of a session on the clock of its time zone, and writes it as that clock shows it. */

interface StartReader {
	parameters: ItemParameters;
	notes: { hint(sentence: string): void };
}

/** It is sent as the clock shows it in the session's time zone. */
export function sessionAttributes(
	start: unknown,
	attributes: JsonObject,
	zone: string,
	{ parameters }: StartReader,
): JsonObject {
	if (!isTimeZone(zone))
		throw parameters.parameterError(`There is no time zone "${zone}"`, adviceOnZone(zone));
	if (start === undefined || start === '') return attributes;
	const estimated_started_at = wallTime(start, zone);
	if (estimated_started_at === undefined) {
		throw parameters.parameterError(
			`There is no such time: "${text(start)}" in the time zone "${zone}"`,
			'Give an ISO 8601 date such as 2026-11-28T10:30:00, and a time zone such as Europe/Paris.',
		);
	}
	return { ...attributes, estimated_started_at };
}

/** `session`: its attributes, as they are sent or as the platform has answered. A start that names no zone is meant on the clock of `zone`. */
export function hintIfPast(session: JsonObject, zone: string, { notes }: StartReader): void {
	const timezone = text(session.timezone) || zone;
	const startsAtMs = parseMoment(session.estimated_started_at, timezone);
	if (startsAtMs === undefined || startsAtMs >= Date.now()) return;
	const shownStart = clockTime(startsAtMs, timezone).slice(0, 'yyyy-MM-dd HH:mm'.length);
	notes.hint(
		`The start ${shownStart} (${timezone}) is in the past. Correct the date or the time zone with 'Update'.`,
	);
}

const adviceOnStart =
	'A session needs a date. Check the expression that gives it, or remove the session. The event was not created.';

function adviceOnZone(zone: string): string {
	const nearest = zoneNamedLike(zone);
	const question = nearest === undefined ? '' : `Did you mean '${nearest}'? `;
	return `${question}Give the name of a time zone, such as Europe/Paris.`;
}

export function plannedSessions(reader: StartReader): JsonObject[] {
	const { parameters } = reader;
	const rows = (parameters.chosen('sessions').session ?? []) as IDataObject[];
	return rows.map(({ timezone: locator, name, estimatedStartedAt: start }) => {
		if (isNothing(start, 'dateTime')) throw parameters.emptyError('Start', adviceOnStart);
		const zone = textOfLocator(locator) || parameters.zone;
		const attributes = { timezone: zone, ...(text(name) && { name: text(name) }) };
		const planned = sessionAttributes(start, attributes, zone, reader);
		hintIfPast(planned, zone, reader);
		return { type: 'sessions', attributes: planned };
	});
}
