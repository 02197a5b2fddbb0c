import type { INodeProperties } from 'n8n-workflow';
import { additionalFields, switchField, textField } from '../parameters/field';
import { sessionLocator } from '../parameters/locators';
import { snakeCase, titleCase } from '../parameters/names';

import type { FormField } from './formField';
import { answers, cleanAnswer, personFields, type MappedPerson } from './personFields';
import type { Read } from '../parameters/read';

/** The answers, in the columns that the editor gets from this method. */
function mapper(
	resourceMapperMethod: string,
	required: boolean,
	description: string,
): INodeProperties {
	return {
		displayName: 'Fields',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		required,
		default: { mappingMode: 'defineBelow', value: null },
		description,
		typeOptions: {
			// The editor empties the mapper when this changes. It is the page of the event, so another
			// session with the same form leaves the answers as they are.
			loadOptionsDependsOn: ['sessionId.cachedResultUrl'],
			resourceMapper: {
				resourceMapperMethod,
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
		builderHint: {
			propertyHint:
				"{ mappingMode: 'autoMapInputData', value: null } takes each input field whose name is that of a question. With mappingMode 'defineBelow' the keys of value are the ids of the questions, such as email and first_name.",
		},
	};
}

const tracking = additionalFields([
	textField('referrer', 'Where the person came from', 'https://example.com/webinars'),
	...['Campaign', 'Content', 'Medium', 'Source', 'Term'].map((part) =>
		textField(`utm${part}`, `The 'utm_${part.toLowerCase()}' value of the campaign`),
	),
]);

/** What single and bulk registration ask alike. */
export const registrationFields = [
	sessionLocator,
	mapper(
		'registrationForm',
		true,
		'Answers to the registration form. Only the email is always required. If you enter a session of another event by ID or expression, reopen the node to see its questions.',
	),
	tracking,
];

/** What can be changed of a registration; its session is asked for elsewhere. */
export const answersToChange = [
	mapper('registrationAnswers', false, 'The new answers. Empty fields stay the same.'),
	tracking,
];

/** Whether a mistyped choice is for the platform to judge. */
export const sendUnknownChoices = switchField(
	'sendUnknownChoices',
	true,
	'Whether to send answers that are not among the choices of the form. If off, people with such answers are not sent.',
);

/** `tracking`: referrer and the utm keys, as the platform names them. */
type Answered = MappedPerson & { tracking: Record<string, string> };
export type PersonToRegister = Answered & { sessionId: string };

/** The person that one item stands for, and the session to register them for. */
export function readRegistrant(read: Read, form?: readonly FormField[]): PersonToRegister {
	const person = personFields(read.mapped('fields'), form);
	return { ...withTracking(person, read), sessionId: read.id('sessionId') };
}

/** What one item changes of somebody who is registered. */
export function readAnswers(read: Read, form?: readonly FormField[]): Answered {
	return withTracking(answers(read.mapped('fields'), form), read);
}

function withTracking(person: MappedPerson, read: Read): Answered {
	const tracking: Record<string, string> = {};
	for (const [name, given] of Object.entries(read.chosen('additionalFields'))) {
		const key = snakeCase(name);
		const found = cleanAnswer(titleCase(key), given);
		if (found && 'problem' in found) person.problems.push(found.problem);
		else if (found) tracking[key] = [found.value].flat().join(', ').trim();
	}
	return { ...person, tracking };
}
