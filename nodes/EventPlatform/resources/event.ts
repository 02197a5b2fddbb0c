import { type IDataObject, type INodeProperties } from 'n8n-workflow';
import { type Operation, type Visit, type Resource } from './operation';
import { writingOf, creationOf, deletionOf, listOf, oneOf } from './records';
import { withDates } from '../parameters/dates';
import {
	additionalFields,
	choiceField,
	rowsField,
	switchField,
	textField,
	updateFields,
	eitherField,
	neededText,
} from '../parameters/field';
import { eventLocator, optional, timezoneLocator, userLocator } from '../parameters/locators';
import { isObject, text, type JsonObject } from '../core/http/json';
import { isOn, textsIn, wordsForNothing } from '../parameters/given';
import { type Read } from '../parameters/read';
import {
	plannedStart,
	sessionAttributes,
	sessionNameField,
	askedOfSessions,
	createdAndUpdated,
	peopleFilters,
	sessionFilters,
} from '../parameters/sharedFields';
import { Failure } from '../core/http/failure';
import { attributesOf, listRecords } from '../core/http/jsonApi';
import { InvalidSegment, pathTo } from '../core/http/path';

const eventTitle = textField('title', 'Title of the event, as people see it', 'Product demo');

const switches: ReadonlyArray<[name: string, isUsual: boolean, description: string]> = [
	['chatEnabled', true, 'Whether attendees can use the chat'],
	['detailedRegistrationPageEnabled', true, 'Whether the event has the detailed registration page'],
	['everyoneCanSpeak', false, 'Whether all attendees can use microphone and camera'],
	['lightRegistrationPageEnabled', false, 'Whether the event has the light registration page'],
	['pollsEnabled', true, 'Whether polls can be held during a session'],
	['questionsEnabled', true, 'Whether attendees can ask questions'],
	['recordingEnabled', true, 'Whether sessions are recorded'],
	['recordingPublic', false, 'Whether anyone with the link can watch the recording'],
	['registrationPageEnabled', true, 'Whether the event has a registration page'],
	['showInCompanyPage', true, 'Whether the event is listed on the public page of the company'],
];

const eventFields: INodeProperties[] = [
	...switches.map((one) => switchField(...one)),
	textField('description', 'Text on the registration page', { typeOptions: { rows: 4 } }),
	optional(userLocator, 'The user who owns the event', { displayName: 'Owner', name: 'ownerId' }),
	textField('slug', 'Last part of the URL of the registration page', 'product-demo'),
	choiceField(
		'status',
		{
			draft: 'Only the team sees it',
			published: 'People can register',
		},
		'draft',
		'Whether people can already see the event and register',
	),
];

const copyFrom = optional(eventLocator, 'Event to copy the settings from', {
	displayName: 'Copy From Event',
	name: 'copyFromEventId',
});

const sessions = rowsField(
	'sessions',
	'session',
	[plannedStart, timezoneLocator, sessionNameField],
	'Dates of the event. You can add more later.',
);

const ofChoices = { displayOptions: { show: { type: ['multiple'] } } };

const formQuestions = rowsField(
	'registrationForm',
	'question',
	[
		textField('choices', 'Answers to choose from, separated by commas', {
			...ofChoices,
			placeholder: 'e.g. Product, Pricing',
		}),
		textField('id', 'ID of the field, such as first_name or the ID of a person attribute', {
			displayName: 'Field',
			placeholder: 'e.g. company',
		}),
		switchField('required', false, 'Whether the registration page requires an answer'),
		switchField('severalAnswers', false, 'Whether more than one choice may be selected', ofChoices),
		choiceField(
			'type',
			{ multiple: ['Choice'], file: ['File'], text: ['Text'] },
			'text',
			'Type of the answer',
		),
	],
	'Questions of the registration form, in this order. The form always asks for the email.',
	{ typeOptions: { multipleValues: true, sortable: true } },
);

const creation = writingOf(
	'POST',
	'events',
	'/events',
	[
		{ ...eventTitle, required: true },
		sessions,
		additionalFields([...eventFields, copyFrom, formQuestions]),
	],
	({ read }) => {
		const planned = plannedSessions(read);
		const { registration_form, ...chosen } = read.toSend('additionalFields');
		const fields = readFormQuestions(registration_form, read);
		return {
			attributes: { title: read.needed('title'), ...chosen, ...(fields && { fields }) },
			...(planned.length > 0 && { relationships: { sessions: planned } }),
		};
	},
);

const create: Operation = {
	action: 'Create event',
	description: 'Create an event, optionally with its sessions',
	...creation,
	async run(visit) {
		const event = await creation.run(visit);
		if (plannedSessions(visit.read).length === 0 || !visit.read.simplify()) return event;
		return { ...event, sessions: await createdSessions(text(event.id), visit) };
	},
};

const update: Operation = {
	action: 'Update event',
	description: 'Change an event. Other fields stay the same.',
	...writingOf(
		'PATCH',
		'events',
		'/events/{eventId}',
		[updateFields([...eventFields, eventTitle])],
		({ read }) => ({ id: read.id('eventId'), attributes: read.changes() }),
	),
};

/** With their IDs people can be registered next. The event stands, so no failure here is one of the item. */
async function createdSessions(eventId: string, { api, read, signal, hint }: Visit) {
	const sessionsOf = async () =>
		await listRecords(api, pathTo`/events/${eventId}/sessions`, {}, signal);
	const records = await sessionsOf().catch((error: unknown) => {
		if (!(error instanceof Failure || error instanceof InvalidSegment)) throw error;
		hint("The event was created, but its sessions could not be read. Use 'Get Sessions'.");
		return [];
	});
	return records.map((session) => {
		const { estimated_started_at = null, timezone = null } = attributesOf(session);
		return withDates({ id: session.id ?? null, estimated_started_at, timezone }, read.zone);
	});
}

function plannedSessions(read: Read) {
	const rows = (read.chosen('sessions').session ?? []) as IDataObject[];
	return rows.map(({ timezone: given, name, ...row }) => {
		// Of an expression that found nothing: without a start there would be a session without a date.
		const start = 'estimatedStartedAt' in row ? (row.estimatedStartedAt ?? null) : '';
		const zone = text(isObject(given) ? given.value : given).trim() || read.zone;
		const others = { timezone: zone, ...(text(name) && { name: text(name) }) };
		return { type: 'sessions', attributes: sessionAttributes(start, others, zone, read) };
	});
}

function readFormQuestions(chosen: unknown, read: Read): JsonObject[] | undefined {
	const { question: rows = [] } = (chosen ?? {}) as { question?: IDataObject[] };
	if (rows.length === 0) return undefined;
	const given = rows.map(question);
	if (given.some(({ id }) => id === '' || wordsForNothing.has(text(id))))
		throw read.wrong('Field', 'is empty');
	const asksEmail = given.some(({ id }) => id === 'email');
	const email = { id: 'email', type: 'text', required: true };
	return (asksEmail ? given : [email, ...given]).map((one, order) => ({ ...one, order }));
}

function question({ id, type, required, choices, severalAnswers }: IDataObject): JsonObject {
	const plain = {
		id: text(id).trim(),
		type: text(type) || 'text',
		required: isOn(required) === true,
	};
	if (plain.type !== 'multiple') return plain;
	const items = textsIn(choices).map((value) => ({ value }));
	return { ...plain, options: { items, multiple_answers: isOn(severalAnswers) === true } };
}

const include = choiceField(
	'include',
	['sessions', 'tags'],
	[],
	'Related records to return with each event',
);

const tagTitle = neededText('tag', 'Title of the tag', 'customers');

export const event: Resource = {
	description: 'A webinar or meeting, held in one or more sessions',
	operations: {
		addTag: {
			action: 'Add tag to event',
			description: 'Add a tag to an event. If the tag does not exist, it is created.',
			...creationOf('tags', '/events/{eventId}/tags', { title: tagTitle }),
		},
		create,
		delete: {
			action: 'Delete event',
			description: 'Delete an event and its sessions permanently',
			...deletionOf('/events/{eventId}', { fields: ['title'] }),
		},
		get: {
			action: 'Get event',
			description: 'Retrieve an event, with the fields of its registration form',
			...oneOf('events', '/events/{eventId}', { options: [include] }),
		},
		getAll: {
			action: 'Get many events',
			description: 'Retrieve the events of the workspace',
			...listOf('events', '/events', {
				filters: [
					...createdAndUpdated,
					eitherField(
						['Speakers', 'everyoneCanSpeak'],
						['Everyone', 'The Team Only'],
						'Only events in which these people can use microphone and camera',
					),
					choiceField(
						'schedulingStatus',
						'cancelled draft ended live not_scheduled not_started on_demand upcoming'.split(' '),
						'upcoming',
						'Only events in this state',
					),
					textField('tag', 'Only events with one of these tags, separated by commas', {
						displayName: 'Tags',
						placeholder: 'e.g. customers,product',
					}),
					textField('title', 'Only events with this text in their title', 'Product demo'),
				],
				options: [include],
				query(read) {
					const query = read.query('include');
					const tags = textsIn(query['filter[tag]']).join(',');
					return tags === '' ? query : { ...query, 'filter[tag]': tags };
				},
			}),
		},
		getPeople: {
			action: 'Get people of event',
			description: 'Retrieve the people of all sessions of an event',
			...listOf('registrants', '/events/{eventId}/people', { filters: peopleFilters }),
		},
		getSessions: {
			action: 'Get sessions of event',
			description: 'Retrieve the sessions of an event, one for each date',
			...listOf('sessions', '/events/{eventId}/sessions', {
				filters: sessionFilters,
				...askedOfSessions,
			}),
		},
		removeTag: {
			action: 'Remove tag from event',
			description: 'Remove a tag from an event. Other events keep it.',
			fields: [eventLocator, tagTitle],
			async run({ api, read }) {
				const path = read.path('/events/{eventId}/tags');
				const body = { data: { type: 'tags', attributes: { title: read.needed('tag') } } };
				await api({ method: 'DELETE', path, body });
				return { deleted: true };
			},
		},
		update,
	},
};
