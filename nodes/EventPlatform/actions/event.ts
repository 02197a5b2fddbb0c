import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Resource } from './operation';
import { eventReport } from './report';
import type { ItemContext } from './runContext';
import { deletionOf, listOf, recordOf, shape } from './records';
import {
	additionalFields,
	choiceField,
	eitherField,
	neededText,
	rowsField,
	switchField,
	switchFields,
	textField,
	titleOf,
	updateFields,
} from '../fields/field';
import { textsIn, wordsForNothing } from '../fields/nodeParameters';
import { eventLocator, optional, userLocator } from '../fields/locators';
import type { ItemParameters } from '../fields/itemParameters';
import {
	askedOfSessions,
	createdAndUpdated,
	peopleFilters,
	plannedSessions,
	plannedSessionsField,
	sessionFilters,
} from '../fields/sharedFields';
import { Failure } from '../core/client/failure';
import { text } from '../core/values/text';
import type { JsonObject } from '../core/values/json';
import { listRecords } from '../core/client/pages';
import { InvalidSegment, pathTo } from '../core/client/path';
import { fieldsOf } from '../core/records/simplify';

const include = choiceField(
	'include',
	['sessions', 'tags'],
	[],
	'Related records to return with each event',
);

const tagTitle = neededText('tag', 'Title of the tag', 'customers');

const eventTitle = textField('title', 'Title of the event, as people see it', 'Product demo');

const eventFields: INodeProperties[] = [
	...switchFields(true, {
		chatEnabled: 'Whether attendees can use the chat',
		detailedRegistrationPageEnabled: 'Whether the event has the detailed registration page',
		pollsEnabled: 'Whether polls can be held during a session',
		questionsEnabled: 'Whether attendees can ask questions',
		recordingEnabled: 'Whether sessions are recorded',
		registrationPageEnabled: 'Whether the event has a registration page',
		showInCompanyPage: 'Whether the event is listed on the public page of the company',
	}),
	...switchFields(false, {
		everyoneCanSpeak: 'Whether all attendees can use microphone and camera',
		lightRegistrationPageEnabled: 'Whether the event has the light registration page',
		recordingPublic: 'Whether anyone with the link can watch the recording',
	}),
	textField('description', 'Text on the registration page', { typeOptions: { rows: 4 } }),
	optional(userLocator, 'The user who owns the event', { displayName: 'Owner', name: 'ownerId' }),
	textField('slug', 'Last part of the URL of the registration page', 'product-demo'),
	choiceField(
		'status',
		{ draft: 'Only the team sees it', published: 'People can register' },
		'draft',
		'Who can see the event',
	),
];

const copyFrom = optional(eventLocator, 'Event to copy the settings from', {
	displayName: 'Copy From Event',
	name: 'copyFromEventId',
});

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
	{
		typeOptions: {
			multipleValues: true,
			sortable: true,
			fixedCollection: { itemTitle: '={{ $collection.item.value.id || "Question" }}' },
		},
	},
);

const creation = recordOf('POST', 'events', '/events', {
	action: 'Create event',
	description: 'Create an event, optionally with its sessions',
	fields: [
		{ ...eventTitle, required: true },
		plannedSessionsField,
		additionalFields([...eventFields, copyFrom, formQuestions]),
	],
	content({ parameters, notes }) {
		const planned = plannedSessions({ parameters, notes });
		const { registration_form, ...chosen } = parameters.toSend('additionalFields');
		const fields = readFormQuestions(registration_form, parameters);
		return {
			attributes: { title: parameters.needed('title'), ...chosen, ...(fields && { fields }) },
			...(planned.length > 0 && { relationships: { sessions: planned } }),
		};
	},
});

export const event: Resource = {
	description: 'A webinar or meeting, held in one or more sessions',
	operations: {
		addTag: recordOf('POST', 'tags', '/events/{eventId}/tags', {
			action: 'Add tag to event',
			description: 'Add a tag to an event. If the tag does not exist, it is created.',
			fields: [tagTitle],
			content: ({ parameters }) => ({ attributes: { title: parameters.needed('tag') } }),
		}),
		create: {
			...creation,
			async run(item) {
				const created = await creation.run(item);
				const { parameters } = item;
				if (plannedSessions(item).length === 0 || !parameters.simplify()) return created;
				return { ...created, sessions: await createdSessions(text(created.id), item) };
			},
		},
		delete: deletionOf('/events/{eventId}', {
			action: 'Delete event',
			description: 'Delete an event and its sessions permanently',
			named: { fields: ['title'] },
		}),
		get: recordOf('GET', 'events', '/events/{eventId}', {
			action: 'Get event',
			description: 'Retrieve an event, with the fields of its registration form',
			options: [include],
		}),
		getAll: listOf('events', '/events', {
			action: 'Get many events',
			description: 'Retrieve the events of the workspace',
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
			query(parameters) {
				const query = parameters.query('include');
				const tags = textsIn(query['filter[tag]']).join(',');
				return tags === '' ? query : { ...query, 'filter[tag]': tags };
			},
		}),
		getPeople: listOf('registrants', '/events/{eventId}/people', {
			action: 'Get people of event',
			description: 'Retrieve the people of all sessions of an event',
			filters: peopleFilters,
		}),
		getReport: eventReport,
		getSessions: listOf('sessions', '/events/{eventId}/sessions', {
			action: 'Get sessions of event',
			description: 'Retrieve the sessions of an event, one for each date',
			filters: sessionFilters,
			...askedOfSessions,
		}),
		removeTag: {
			action: 'Remove tag from event',
			description: 'Remove a tag from an event. Other events keep it.',
			fields: [eventLocator, tagTitle],
			async run({ api, parameters }) {
				const path = parameters.path('/events/{eventId}/tags');
				const body = { data: { type: 'tags', attributes: { title: parameters.needed('tag') } } };
				await api({ method: 'DELETE', path, body });
				return { deleted: true };
			},
		},
		update: recordOf('PATCH', 'events', '/events/{eventId}', {
			action: 'Update event',
			description: 'Change an event. Other fields stay the same.',
			fields: [updateFields([...eventFields, eventTitle])],
			content: ({ parameters }) => ({
				id: parameters.id('eventId'),
				attributes: parameters.changes(),
			}),
		}),
	},
};

/** With their IDs people can be registered next. The event stands, so no failure here is one of the item. */
async function createdSessions(eventId: string, { api, parameters, signal, notes }: ItemContext) {
	const sessionsOf = async () =>
		await listRecords(api, pathTo`/events/${eventId}/sessions`, { signal });
	const records = await sessionsOf().catch((error: unknown) => {
		if (!(error instanceof Failure || error instanceof InvalidSegment)) throw error;
		notes.hint("The event was created, but its sessions could not be read. Use 'Get Sessions'.");
		return [];
	});
	const names = ['estimated_started_at', 'timezone'];
	return records.map((session) => shape(fieldsOf(session), parameters.zone, names));
}

function readFormQuestions(chosen: unknown, parameters: ItemParameters): JsonObject[] | undefined {
	const { question: rows = [] } = (chosen ?? {}) as { question?: IDataObject[] };
	if (rows.length === 0) return undefined;
	const questions = rows.map((row): JsonObject => {
		const id = text(row.id).trim();
		if (id === '' || wordsForNothing.has(id)) throw parameters.empty('Field');
		const isOn = (name: string) => parameters.switched(titleOf(name), row[name]);
		const plain = { id, type: text(row.type) || 'text', required: isOn('required') };
		if (plain.type !== 'multiple') return plain;
		const items = textsIn(row.choices).map((value) => ({ value }));
		return { ...plain, options: { items, multiple_answers: isOn('severalAnswers') } };
	});
	const asksEmail = questions.some(({ id }) => id === 'email');
	const email = { id: 'email', type: 'text', required: true };
	return (asksEmail ? questions : [email, ...questions]).map((one, order) => ({ ...one, order }));
}
