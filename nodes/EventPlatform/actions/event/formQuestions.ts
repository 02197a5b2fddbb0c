import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { choiceField, rowsField, switchField, textField } from '../../fields/fieldBuilders';
import { titleOf } from '../../fields/fieldNames';
import { attributeLocator } from '../../fields/locators';
import { textsIn, wordsForNothing } from '../../fields/parameterValues';
import type { ItemParameters } from '../../fields/itemParameters';
import type { Question } from '../../form/question';
import type { ItemContext } from '../runContext';
import { text } from '../../core/values/text';
import { isObject, type JsonObject } from '../../core/values/json';

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
		attributeLocator,
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
			fixedCollection: {
				itemTitle:
					'={{ $collection.item.value.id?.cachedResultName || $collection.item.value.id?.value || "Question" }}',
			},
		},
	},
);

export async function readFormQuestions(
	chosen: unknown,
	{ parameters, forms }: Pick<ItemContext, 'parameters' | 'forms'>,
): Promise<JsonObject[] | undefined> {
	const { question: rows = [] } = (chosen ?? {}) as { question?: IDataObject[] };
	if (rows.length === 0) return undefined;
	const isFromList = ({ id }: IDataObject) => isObject(id) && id.mode === 'list';
	const attributes = rows.some(isFromList) ? (await forms.read()).questions : [];
	const questions = rows.map((row) => {
		const id = idOfQuestion(row.id);
		if (id === '' || wordsForNothing.has(id)) throw parameters.emptyError('Field');
		const attribute = isFromList(row)
			? attributes.find((question) => question.id === id)
			: undefined;
		return questionOfRow(id, row, attribute, parameters);
	});
	const asksEmail = questions.some(({ id }) => id === 'email');
	const email = { id: 'email', type: 'text', required: true };
	return (asksEmail ? questions : [email, ...questions]).map((question, order) => ({
		...question,
		order,
	}));
}

/** Workflows that were saved before it was a locator have a text. */
function idOfQuestion(entered: IDataObject[string]): string {
	return text(isObject(entered) ? entered.value : entered).trim();
}

function questionOfRow(
	id: string,
	row: IDataObject,
	attribute: Question | undefined,
	parameters: ItemParameters,
): JsonObject {
	const isOn = (name: string) => parameters.parseSwitch(titleOf(name), row[name]);
	const type = text(row.type) || 'text';
	const required = isOn('required');
	if (type === 'multiple') {
		const items = textsIn(row.choices).map((value) => ({ value }));
		return { id, type, required, options: { items, multiple_answers: isOn('severalAnswers') } };
	}
	if (type === 'file' || attribute?.choices === undefined) return { id, type, required };
	const items = attribute.choices.map(({ value }) => ({ value }));
	const options = { items, multiple_answers: attribute.mayHaveSeveral };
	return { id, type: 'multiple', required, options };
}
