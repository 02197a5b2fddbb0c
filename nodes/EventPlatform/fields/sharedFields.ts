import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { defaultEventTypes, eventTypeTable } from '../core/events/eventTypes';
import { isObject, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { isPast, isZone, wallTime, zoneNamedLike } from './dates';
import { choiceField, dateField, eitherField, rowsField, switchField, textField } from './field';
import { timezoneLocator } from './locators';
import type { Query, ItemParameters } from './itemParameters';

export const createdAndUpdated: INodeProperties[] = [
	dateField('createdSince', 'Only records created at this time or later'),
	dateField('createdUntil', 'Only records created at this time or earlier'),
	dateField('updatedSince', 'Only records last changed at this time or later'),
	dateField('updatedUntil', 'Only records last changed at this time or earlier'),
];

export const peopleFilters: INodeProperties[] = [
	...createdAndUpdated,
	textField('email', 'Only the person with exactly this email address', 'nathan@example.com'),
	choiceField('role', ['participant', 'team_member'], 'participant', 'Only people with this role'),
];

/** Somebody who adds it wants the link, so it is on when it is added. */
export const joinLinkOption = switchField(
	'includeJoinLink',
	true,
	"Whether to return the personal link of each person as 'join_link'. Anybody who has the link can enter as that person.",
);

/** The event types that pass a test, as people choose them. */
export function eventTypeOptions(
	isOffered: (eventType: string) => boolean,
): INodePropertyOptions[] {
	return Object.entries(eventTypeTable)
		.filter(([value]) => isOffered(value))
		.map(([value, { name, description, action }]) => ({ value, name, description, action }));
}

export const webhookKinds: INodePropertyOptions[] = eventTypeOptions(
	(eventType) => eventTypeTable[eventType]?.isPolledOnly !== true,
);

export function kindField(name: string, description: string): INodeProperties {
	const shown = { displayName: 'Event', options: webhookKinds };
	return choiceField(name, {}, defaultEventTypes.webhook, description, shown);
}

export const sessionNameField = textField(
	'name',
	'Name of the session, to tell it from other sessions of the event',
	'Morning session',
);

export const plannedStart = dateField('estimatedStartedAt', 'Date and time of the planned start', {
	displayName: 'Start',
});

export const plannedSessionsField = rowsField(
	'sessions',
	'session',
	[plannedStart, timezoneLocator, sessionNameField],
	'Dates of the event. You can add more later.',
	{
		typeOptions: {
			multipleValues: true,
			fixedCollection: {
				itemTitle:
					'={{ $collection.item.value.name || $collection.item.value.estimatedStartedAt || "Session" }}',
			},
		},
	},
);

export const sessionFilters: INodeProperties[] = [
	...createdAndUpdated,
	eitherField(
		['Breakout Rooms', 'includeBreakoutRooms'],
		['Listed', 'Not Listed'],
		'Breakout rooms as separate sessions, or not at all',
	),
	dateField('dateFrom', 'Only sessions planned to start at this time or later', {
		displayName: 'Planned From',
	}),
	dateField('dateTo', 'Only sessions planned to start at this time or earlier', {
		displayName: 'Planned To',
	}),
	choiceField(
		'status',
		['canceled', 'draft', 'live', 'on_demand', 'past', 'past_not_started', 'upcoming'],
		'upcoming',
		'Only sessions in this state',
	),
];

/** Simplified sessions bring their events, whose titles people know them by, where the platform can. */
export const askedOfSessions = {
	options: [
		choiceField(
			'include',
			['event', 'people', 'recordings'],
			[],
			'Related records to return with each session',
		),
	],
	addedQuery(parameters: ItemParameters): Query {
		const names = parameters.names('options.include');
		if (!parameters.simplify() || names.includes('event')) return {};
		return { include: [...names, 'event'].join(',') };
	},
};

/** The parameters that the start of a session is read from, and the notes that warn of it. */
export interface StartReader {
	parameters: ItemParameters;
	notes: { hint(sentence: string): void };
}

/** The start is sent as the clock shows it in the session's time zone. */
export function sessionAttributes(
	start: unknown,
	others: JsonObject,
	zone: string,
	{ parameters, notes }: StartReader,
): JsonObject {
	if (!isZone(zone)) throw parameters.refusal(`There is no time zone "${zone}"`, zoneToGive(zone));
	if (start === undefined || start === '') return others;
	const estimated_started_at = wallTime(start, zone);
	if (estimated_started_at === undefined) {
		throw parameters.refusal(
			`There is no such time: "${text(start)}" in the time zone "${zone}"`,
			'Give an ISO 8601 date such as 2026-11-28T10:30:00, and a time zone such as Europe/Paris.',
		);
	}
	if (isPast(start, zone)) {
		const when = estimated_started_at.slice(0, 'yyyy-MM-dd HH:mm'.length);
		notes.hint(`The start ${when} (${zone}) is in the past. Check the date and the time zone.`);
	}
	return { ...others, estimated_started_at };
}

/** "Paris" → "Did you mean 'Europe/Paris'?" */
function zoneToGive(zone: string): string {
	const nearest = zoneNamedLike(zone);
	const question = nearest === undefined ? '' : `Did you mean '${nearest}'? `;
	return `${question}Give the name of a time zone, such as Europe/Paris.`;
}

/** The sessions of a new event, as the platform takes them. */
export function plannedSessions(reader: StartReader): JsonObject[] {
	const { parameters } = reader;
	const rows = (parameters.chosen('sessions').session ?? []) as IDataObject[];
	return rows.map(({ timezone: given, name, ...row }) => {
		// An expression that found nothing is refused, because the session would have no date.
		const start = 'estimatedStartedAt' in row ? (row.estimatedStartedAt ?? null) : '';
		const zone = text(isObject(given) ? given.value : given).trim() || parameters.zone;
		const others = { timezone: zone, ...(text(name) && { name: text(name) }) };
		return { type: 'sessions', attributes: sessionAttributes(start, others, zone, reader) };
	});
}
