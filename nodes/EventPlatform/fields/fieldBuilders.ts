import type { INodeProperties } from 'n8n-workflow';
import { titleOf } from './fieldNames';

/*
 * Functions that describe a parameter in the form that n8n wants (INodeProperties): one for each kind of field in the panel of
 * a node. The title is the name in words, and `more` holds all that differs from the kind, such as another title.
 */

type More = Partial<INodeProperties>;

/** Value → its description; or a title that is not the value in words, and perhaps a description. */
export type Choices = Readonly<Record<string, string | readonly [title: string, text?: string]>>;

/** Makes the function for a type of n8n. A field has the value `usual` on a new node, or when it is added. */
function field<Usual extends INodeProperties['default']>(type: INodeProperties['type']) {
	return (name: string, usual: Usual, description: string, more?: More): INodeProperties => ({
		displayName: titleOf(name),
		name,
		type,
		default: usual,
		description,
		...more,
	});
}

/** Makes the function for a type whose fields begin empty. A text for `more` is the example that an empty field shows. */
function emptyField(type: INodeProperties['type']) {
	const empty = field<''>(type);
	return (name: string, description: string, more?: More | string) =>
		empty(name, '', description, typeof more === 'string' ? { placeholder: `e.g. ${more}` } : more);
}

export const switchField = field<boolean>('boolean');
export const numberField = field<number>('number');
export const textField = emptyField('string');
export const dateField = emptyField('dateTime');
export const emptyNumberField = emptyField('number');

/** Describes switches by their names and descriptions; each is `usual` at first. */
export function switchFields(
	usual: boolean,
	texts: Readonly<Record<string, string>>,
): INodeProperties[] {
	return Object.entries(texts).map(([name, description]) => switchField(name, usual, description));
}

/** Describes a text that the node does not run without. */
export function neededText(
	name: string,
	description: string,
	example: string,
	more?: More,
): INodeProperties {
	return textField(name, description, { required: true, placeholder: `e.g. ${example}`, ...more });
}

/** Describes a field with one of the choices as its value; with several of them where `usual` is a list. */
export function choiceField(
	name: string,
	choices: Choices | string[],
	usual: string | string[],
	description: string,
	more?: More,
): INodeProperties {
	const named: Choices = Array.isArray(choices)
		? Object.fromEntries(choices.map((value) => [value, [titleOf(value)]]))
		: choices;
	const options = Object.entries(named).map(([value, words]) => {
		const [name, description] = typeof words === 'string' ? [titleOf(value), words] : words;
		return { name, value, description };
	});
	const type = Array.isArray(usual) ? 'multiOptions' : 'options';
	return field<string | string[]>(type)(name, usual, description, { options, ...more });
}

/** Describes a condition that is met or not as two named choices, because a switch that is off would look like no condition. */
export function eitherField(
	[displayName, name]: [displayName: string, name: string],
	choices: [yes: string, no: string],
	description: string,
): INodeProperties {
	const options = choices.map((choice, index) => ({ name: choice, value: index === 0 }));
	options.sort((a, b) => a.name.localeCompare(b.name));
	return field<boolean>('options')(name, true, description, { displayName, options });
}

/** Describes a field with several rows, each of which has the fields `values`. */
export function rowsField(
	name: string,
	row: string,
	values: INodeProperties[],
	description: string,
	more?: More,
): INodeProperties {
	return field<Record<string, never>>('fixedCollection')(name, {}, description, {
		typeOptions: { multipleValues: true },
		placeholder: `Add ${titleOf(row)}`,
		options: [{ displayName: titleOf(row), name: row, values }],
		...more,
	});
}

/** Makes the function for a collection: people add its fields one at a time, and n8n wants them sorted by title. */
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

/** Conditions that the platform applies. One that is not added is not sent. */
export function filters(conditions: INodeProperties[]): INodeProperties {
	return collection('filters', 'Filter')([...conditions, emptyFilters]);
}

const emptyFilters = choiceField(
	'emptyFilters',
	{
		fail: 'Fail and name the filter',
		ignore: ['Treat as No Filter', 'Continue as if the filter had not been added'],
	},
	'ignore',
	'What to do if a filter has no value. Without this option, the node fails and names the filter.',
	{ displayName: 'When a Filter Is Empty' },
);
