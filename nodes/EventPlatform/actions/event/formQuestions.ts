import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { choiceField, rowsField, switchField, textField } from '../../fields/fieldBuilders';
import { titleOf } from '../../fields/fieldNames';
import { textsIn, wordsForNothing } from '../../fields/parameterValues';
import type { ItemParameters } from '../../fields/itemParameters';
import { text } from '../../core/values/text';
import type { JsonObject } from '../../core/values/json';

/* The form of a new event: how its questions are entered, and how they are sent. */

const ofChoices = { displayOptions: { show: { type: ['multiple'] } } };

export const formQuestions: INodeProperties = rowsField(
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
		const plain = { id, type: text(row.type) || 'text', required: isOn('required') };
		if (plain.type !== 'multiple') return plain;
		const items = textsIn(row.choices).map((value) => ({ value }));
		return { ...plain, options: { items, multiple_answers: isOn('severalAnswers') } };
	});
	const asksEmail = questions.some(({ id }) => id === 'email');
	const email = { id: 'email', type: 'text', required: true };
	return (asksEmail ? questions : [email, ...questions]).map((question, order) => ({
		...question,
		order,
	}));
}
