import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { choiceField, rowsField, switchField, textField } from '../../fields/fieldBuilders';
import { titleOf } from '../../fields/fieldNames';
import { textsIn, wordsForNothing } from '../../fields/parameterValues';
import type { ItemParameters } from '../../fields/itemParameters';
import { text } from '../../core/values/text';
import type { JsonObject } from '../../core/values/json';

/* Describes how people enter the questions of the form of a new event, and reads them as they are sent. */

const shownForChoices = { displayOptions: { show: { type: ['multiple'] } } };

export const formQuestions: INodeProperties = rowsField(
	'registrationForm',
	'question',
	[
		textField('choices', 'Answers to choose from, separated by commas', {
			...shownForChoices,
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
			shownForChoices,
		),
		choiceField(
			'type',
			{ multiple: { name: 'Choice' }, file: { name: 'File' }, text: { name: 'Text' } },
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

/** Reads the questions of the form as the platform takes them; undefined where none were added. */
export function readFormQuestions(
	chosen: unknown,
	parameters: ItemParameters,
): JsonObject[] | undefined {
	const { question: rows = [] } = (chosen ?? {}) as { question?: IDataObject[] };
	if (rows.length === 0) return undefined;
	const questions = rows.map((row): JsonObject => {
		const id = text(row.id).trim();
		if (id === '' || wordsForNothing.has(id)) throw parameters.emptyError('Field');
		const isOn = (name: string) => parameters.parseSwitch(titleOf(name), row[name]);
		const question = { id, type: text(row.type) || 'text', required: isOn('required') };
		if (question.type !== 'multiple') return question;
		const items = textsIn(row.choices).map((value) => ({ value }));
		return { ...question, options: { items, multiple_answers: isOn('severalAnswers') } };
	});
	const asksEmail = questions.some(({ id }) => id === 'email');
	const email = { id: 'email', type: 'text', required: true };
	return (asksEmail ? questions : [email, ...questions]).map((question, order) => ({
		...question,
		order,
	}));
}
