import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { JsonObject } from '../core/http/ports';
import { text } from '../core/http/text';
import { choiceField, switchField, textField } from './field';
import { userLocator } from './locators';

export const eventTitle = textField('title', 'Title of the event, as people see it', {
	placeholder: 'e.g. Product demo',
});

/** What can be set on an event, whether it is new or not. */
export const eventFields: INodeProperties[] = [
	switchField('chatEnabled', true, 'Whether attendees can use the chat'),
	textField('description', 'Text on the registration page', { typeOptions: { rows: 4 } }),
	switchField(
		'detailedRegistrationPageEnabled',
		true,
		'Whether the event has the detailed registration page',
	),
	switchField('everyoneCanSpeak', false, 'Whether all attendees can use microphone and camera'),
	switchField(
		'lightRegistrationPageEnabled',
		false,
		'Whether the event has the light registration page',
	),
	{
		...userLocator,
		displayName: 'Owner',
		name: 'ownerId',
		required: false,
		description: 'The user who owns the event',
	},
	switchField('pollsEnabled', true, 'Whether polls can be held during a session'),
	switchField('questionsEnabled', true, 'Whether attendees can ask questions'),
	switchField('recordingEnabled', true, 'Whether sessions are recorded'),
	switchField('recordingPublic', false, 'Whether anyone with the link can watch the recording'),
	switchField('registrationPageEnabled', true, 'Whether the event has a registration page'),
	switchField(
		'showInCompanyPage',
		true,
		'Whether the event is listed on the public page of the company',
		{ displayName: 'Show in Company Page' },
	),
	textField('slug', 'Last part of the URL of the registration page', {
		placeholder: 'e.g. product-demo',
	}),
	choiceField(
		'status',
		{
			draft: ['Draft', 'Only the team sees it'],
			published: ['Published', 'People can register'],
		},
		'draft',
		'Whether people can already see the event and register',
	),
];

/** Related records that come along in the same request. */
export const includesOfEvents = choiceField(
	'include',
	['sessions', 'tags'],
	[],
	'Related records to return with each event',
);

export const tagTitle = textField('tag', 'Title of the tag', {
	required: true,
	placeholder: 'e.g. customers',
});

const ofChoices = { displayOptions: { show: { type: ['multiple'] } } };

/** The registration form of a new event, question by question. */
export const formQuestions: INodeProperties = {
	displayName: 'Registration Form',
	name: 'registrationForm',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Question',
	default: {},
	description:
		'Questions of the registration form, in this order. The form always asks for the email.',
	options: [
		{
			displayName: 'Question',
			name: 'question',
			values: [
				textField('choices', 'Answers to choose from, separated by commas', {
					...ofChoices,
					placeholder: 'e.g. Product, Pricing',
				}),
				textField('id', 'ID of the field, such as first_name or the ID of a person attribute', {
					displayName: 'Field',
					placeholder: 'e.g. company',
				}),
				switchField('required', false, 'Whether the registration page requires an answer'),
				switchField(
					'severalAnswers',
					false,
					'Whether more than one choice may be selected',
					ofChoices,
				),
				choiceField(
					'type',
					{ multiple: 'Choice', file: 'File', text: 'Text' },
					'text',
					'Type of the answer',
				),
			],
		},
	],
};

/** The questions as an event has them; undefined when none was added. */
export function readFormQuestions(chosen: IDataObject): JsonObject[] | undefined {
	const { question: rows } = (chosen.registrationForm ?? {}) as { question?: IDataObject[] };
	if (rows === undefined || rows.length === 0) return undefined;
	const given = rows.map(question);
	const asksEmail = given.some(({ id }) => id === 'email');
	const email = { id: 'email', type: 'text', required: true };
	return (asksEmail ? given : [email, ...given]).map((one, order) => ({ ...one, order }));
}

function question({ id, type, required, choices, severalAnswers }: IDataObject): JsonObject {
	const plain = { id: text(id).trim(), type: text(type) || 'text', required: required === true };
	if (plain.type !== 'multiple') return plain;
	const values = text(choices)
		.split(',')
		.map((choice) => choice.trim());
	const items = values.filter((value) => value !== '').map((value) => ({ value }));
	return { ...plain, options: { items, multiple_answers: severalAnswers === true } };
}
