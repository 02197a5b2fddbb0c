import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { JsonObject } from '../core/http/ports';
import { text } from '../core/http/text';

/** The registration form of a new event, question by question. */
export const formQuestions: INodeProperties = {
	displayName: 'Registration Form',
	name: 'registrationForm',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Question',
	default: {},
	description: 'What people are asked, in this order. The email is always asked.',
	options: [
		{
			displayName: 'Question',
			name: 'question',
			values: [
				{
					displayName: 'Choices',
					name: 'choices',
					type: 'string',
					displayOptions: { show: { type: ['multiple'] } },
					default: '',
					placeholder: 'e.g. Product, Pricing',
					description: 'The answers to choose from. Separate them with commas.',
				},
				{
					displayName: 'Field',
					name: 'id',
					type: 'string',
					default: '',
					placeholder: 'e.g. company',
					description: 'ID of the field, such as first_name or that of a person attribute',
				},
				{
					displayName: 'Required',
					name: 'required',
					type: 'boolean',
					default: false,
					description: 'Whether people have to answer on the registration page',
				},
				{
					displayName: 'Several Answers',
					name: 'severalAnswers',
					type: 'boolean',
					displayOptions: { show: { type: ['multiple'] } },
					default: false,
					description: 'Whether more than one choice may be selected',
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [
						{ name: 'Choice', value: 'multiple' },
						{ name: 'File', value: 'file' },
						{ name: 'Text', value: 'text' },
					],
					default: 'text',
					description: 'What kind of answer the question takes',
				},
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
