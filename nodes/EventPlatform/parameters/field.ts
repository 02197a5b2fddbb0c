import type { INodeProperties } from 'n8n-workflow';
import { snakeCase, titleCase } from './names';

/*
 * Parameters as n8n describes them. The title of one is its name in words; `more` has a title of its
 * own, and whatever else is special.
 */

type More = Partial<INodeProperties>;

/** Value → what people read: a title, or a title and a description. */
export type Choices = Readonly<Record<string, string | readonly [title: string, text: string]>>;

const titleOf = (name: string) => titleCase(snakeCase(name));

/** A field of one type. Its usual value is the one it has when it is added, or on a new node. */
function field<Usual extends INodeProperties['default']>(type: INodeProperties['type']) {
	return (name: string, usual: Usual, description: string, more?: More): INodeProperties => ({
		displayName: titleOf(name),
		...{ name, type, default: usual, description },
		...more,
	});
}

export const switchField = field<boolean>('boolean');
export const numberField = field<number>('number');
const emptyText = field<''>('string');
const emptyDate = field<''>('dateTime');

export function textField(name: string, description: string, more?: More): INodeProperties {
	return emptyText(name, '', description, more);
}

export function dateField(name: string, description: string, more?: More): INodeProperties {
	return emptyDate(name, '', description, more);
}

/** One of the choices; several of them where `usual` is a list. */
export function choiceField(
	name: string,
	choices: Choices | readonly string[],
	usual: string | string[],
	description: string,
	more?: More,
): INodeProperties {
	return {
		displayName: titleOf(name),
		name,
		type: Array.isArray(usual) ? 'multiOptions' : 'options',
		options: Object.entries(titled(choices)).map(([value, words]) => {
			if (typeof words === 'string') return { name: words, value };
			const [title, text] = words;
			return { name: title, value, description: text };
		}),
		default: usual,
		description,
		...more,
	};
}

/** Those that are listed by their values alone have them in words for titles. */
function titled(choices: Choices | readonly string[]): Choices {
	const isList = (given: typeof choices): given is readonly string[] => Array.isArray(given);
	return isList(choices)
		? Object.fromEntries(choices.map((value) => [value, titleCase(value)]))
		: choices;
}

/** A condition that is met or not, as two named choices: off would look like no condition. */
export function eitherField(
	[displayName, name]: [displayName: string, name: string],
	choices: [yes: string, no: string],
	description: string,
): INodeProperties {
	const options = choices.map((choice, place) => ({ name: choice, value: place === 0 }));
	options.sort((a, b) => a.name.localeCompare(b.name));
	return { displayName, name, type: 'options', options, default: true, description };
}

/** Fields that are added one at a time, listed by their titles as n8n shows them. */
function collection(name: string, thing: string) {
	return (fields: INodeProperties[]): INodeProperties => ({
		displayName: titleOf(name),
		name,
		type: 'collection',
		placeholder: `Add ${thing}`,
		default: {},
		options: [...fields].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	});
}

export const options = collection('options', 'Option');
export const additionalFields = collection('additionalFields', 'Field');
export const updateFields = collection('updateFields', 'Field');
const addedFilters = collection('filters', 'Filter');

/** Conditions that the platform applies. One that is not added is not sent. */
export function filters(conditions: INodeProperties[]): INodeProperties {
	return addedFilters([...conditions, emptyFilters]);
}

const emptyFilters = choiceField(
	'emptyFilters',
	{
		fail: ['Fail', 'Fail and name the filter'],
		ignore: ['Treat as No Filter', 'Continue as if the filter had not been added'],
	},
	'ignore',
	'What to do if a filter has no value. Without this option, the node fails and names the filter.',
	{ displayName: 'When a Filter Is Empty' },
);
