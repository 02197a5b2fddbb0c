import type { IDataObject } from 'n8n-workflow';
import { isObject, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { isTimeZone } from '../core/values/timeZone';
import { isPast, wallTime, zoneNamedLike } from './typedDates';
import type { ItemParameters } from './itemParameters';

/* Reads the planned start of a session on the clock of its time zone, and writes it as that clock shows it. */

export interface StartReader {
	parameters: ItemParameters;
	notes: { hint(sentence: string): void };
}

/** It is sent as the clock shows it in the session's time zone. */
export function sessionAttributes(
	start: unknown,
	attributes: JsonObject,
	zone: string,
	{ parameters, notes }: StartReader,
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
	if (isPast(start, zone)) {
		const shownStart = estimated_started_at.slice(0, 'yyyy-MM-dd HH:mm'.length);
		notes.hint(
			`The start ${shownStart} (${zone}) is in the past. Check the date and the time zone.`,
		);
	}
	return { ...attributes, estimated_started_at };
}

function adviceOnZone(zone: string): string {
	const nearest = zoneNamedLike(zone);
	const question = nearest === undefined ? '' : `Did you mean '${nearest}'? `;
	return `${question}Give the name of a time zone, such as Europe/Paris.`;
}

export function plannedSessions(reader: StartReader): JsonObject[] {
	const { parameters } = reader;
	const rows = (parameters.chosen('sessions').session ?? []) as IDataObject[];
	return rows.map(({ timezone: locator, name, ...row }) => {
		// An expression that found nothing is refused, because the session would have no date.
		const start = 'estimatedStartedAt' in row ? (row.estimatedStartedAt ?? null) : '';
		// n8n takes an expression in place of a whole locator, too, so the zone may be a plain text.
		const zone = text(isObject(locator) ? locator.value : locator).trim() || parameters.zone;
		const attributes = { timezone: zone, ...(text(name) && { name: text(name) }) };
		return { type: 'sessions', attributes: sessionAttributes(start, attributes, zone, reader) };
	});
}
