import type { INodeProperties } from 'n8n-workflow';
import { additionalFields, choiceField, rowsField, textField } from './fieldBuilders';
import { sessionLocator } from './locators';

function mapper(method: string, required: boolean, description: string): INodeProperties {
	return {
		displayName: 'Answers',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		...(required && { required }),
		default: { mappingMode: 'defineBelow', value: null },
		description,
		typeOptions: {
			// The editor empties the mapper when this changes. It is the page of the event, so that choosing another session with the
			// same form leaves the answers as they are.
			loadOptionsDependsOn: ['sessionId.cachedResultUrl'],
			resourceMapper: {
				resourceMapperMethod: method,
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				valuesLabel: 'Answers',
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
				// Keeps the answers, and names the questions that the form has by now.
				refreshStaleSchemaOnOpen: true,
			},
		},
	};
}

/** n8n's mapper has no way to add a column that it was not given. */
const furtherAnswers = rowsField(
	'furtherAnswers',
	'answer',
	'={{ $collection.item.value.id || "Answer" }}',
	[
		textField('id', 'As Person Attribute → Get Many returns it', {
			displayName: 'Question ID',
			placeholder: 'e.g. company',
		}),
		textField('value', 'The answer; several choices as a list or with commas'),
	],
	'Answers to questions that have no column, sent as texts',
);

const additionalField = additionalFields([
	furtherAnswers,
	textField('referrer', 'Where the person came from', 'https://example.com/webinars'),
	...['Campaign', 'Content', 'Medium', 'Source', 'Term'].map((part) => textField(`utm${part}`)),
]);

export const registrationFields: INodeProperties[] = [
	sessionLocator,
	mapper(
		'registrationForm',
		true,
		'Answers to the form. After switching to an event with another form, reopen the node.',
	),
	additionalField,
];

export const answersToChange: INodeProperties[] = [
	mapper('registrationAnswers', false, 'The new answers. Empty fields stay the same.'),
	additionalField,
];

export const unknownChoices: INodeProperties = choiceField(
	'unknownChoices',
	{
		leaveOut: {
			name: 'Leave Out the Answer',
			description: 'Send the person without that answer. A hint names it.',
		},
		refuse: {
			name: 'Refuse the Person',
			description: 'Do not send the person. The reason lists the choices.',
		},
		send: { name: 'Send the Answer', description: 'Let Livestorm decide' },
	},
	'refuse',
	'What to do with answers that the form does not offer',
);
