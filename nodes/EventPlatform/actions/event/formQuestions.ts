import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { choiceField, rowsField, switchField, textField } from '../../fields/fieldBuilders';
import { titleOf } from '../../fields/fieldNames';
import { attributeLocator } from '../../fields/locators';
import { textOfLocator, textsIn, wordsForNothing } from '../../fields/parameterValues';
import type { ItemParameters } from '../../fields/itemParameters';
import type { Question } from '../../form/question';
import type { ItemContext } from '../runContext';
import { quote, text } from '../../core/values/text';
import { isObject, type JsonObject } from '../../core/values/json';

/* Describes how people enter the questions of the form of a new event, and reads them as they are sent. */

const shownForChoices = { displayOptions: { show: { type: ['multiple'] } } };

export const formQuestions: INodeProperties = rowsField(
	'registrationForm',
	'question',
	'={{ $collection.item.value.id?.cachedResultName || $collection.item.value.id?.value || "Question" }}',
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
	{ typeOptions: { sortable: true } },
);

const adviceOnChoices = 'Give the answers to choose from, separated by commas.';

export async function readFormQuestions(
	chosen: unknown,
	{ parameters, forms }: Pick<ItemContext, 'parameters' | 'forms'>,
): Promise<JsonObject[] | undefined> {
	const { question: rows = [] } = (chosen ?? {}) as { question?: IDataObject[] };
	if (rows.length === 0) return undefined;
	const isFromList = ({ id }: IDataObject) => isObject(id) && id.mode === 'list';
	const attributes = rows.some(isFromList) ? (await forms.read()).questions : [];
	const questions = rows.map((row) => {
		const id = textOfLocator(row.id);
		if (id === '' || wordsForNothing.has(id)) throw parameters.emptyError('Field');
		if (!isFromList(row)) return questionOfRow(id, row, undefined, parameters);
		const attribute = attributes.find((question) => question.id === id);
		if (attribute !== undefined) return questionOfRow(id, row, attribute, parameters);
		// Its choices are not known, so that the form would ask for any text.
		throw parameters.parameterError(
			`The field '${quote(id) ?? ''}' is not among the person attributes`,
			"It may be deleted, or closed to this credential. Choose another one, or enter it 'By ID'. The event was not created.",
		);
	});
	const asksEmail = questions.some(({ id }) => id === 'email');
	const email = { id: 'email', type: 'text', required: true };
	return (asksEmail ? questions : [email, ...questions]).map((question, order) => ({
		...question,
		order,
	}));
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
	const ownChoices = type === 'multiple' ? textsIn(row.choices) : [];
	if (ownChoices.length > 0) {
		const items = ownChoices.map((value) => ({ value }));
		return { id, type, required, options: { items, multiple_answers: isOn('severalAnswers') } };
	}
	if (type !== 'file' && attribute?.choices !== undefined) {
		const items = attribute.choices.map(({ value }) => ({ value }));
		const mayHaveSeveral = type === 'multiple' && isOn('severalAnswers');
		const options = { items, multiple_answers: mayHaveSeveral || attribute.mayHaveSeveral };
		return { id, type: 'multiple', required, options };
	}
	if (type === 'multiple') throw parameters.emptyError('Choices', adviceOnChoices);
	return { id, type, required };
}
