import type { IDataObject } from 'n8n-workflow';
import type { JsonObject } from '../../core/http/ports';
import { text } from '../../core/http/text';
import { choiceField, rowsField, switchField, textField } from '../../parameters/field';
import { isOn, textsIn, wordsForNothing } from '../../parameters/given';
import type { Read } from '../../parameters/read';

const ofChoices = { displayOptions: { show: { type: ['multiple'] } } };

/** The registration form of a new event, question by question. */
export const formQuestions = rowsField(
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
			{ multiple: 'Choice', file: 'File', text: 'Text' },
			'text',
			'Type of the answer',
		),
	],
	'Questions of the registration form, in this order. The form always asks for the email.',
	{ typeOptions: { multipleValues: true, sortable: true } },
);

/** The questions as an event has them; undefined when none was added. */
export function readFormQuestions(chosen: unknown, read: Read): JsonObject[] | undefined {
	const { question: rows = [] } = (chosen ?? {}) as { question?: IDataObject[] };
	if (rows.length === 0) return undefined;
	const given = rows.map(question);
	if (given.some(({ id }) => id === '' || wordsForNothing.has(text(id)))) throw read.empty('Field');
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
