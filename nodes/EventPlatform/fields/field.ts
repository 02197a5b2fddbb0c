import type { INodeProperties } from 'n8n-workflow';

/* Parameters as n8n describes them. The title of one is its name in words, unless `more` has another. */

type More = Partial<INodeProperties>;

/** Value → its description; or a title that is not the value in words, and perhaps a description. */
export type Choices = Readonly<Record<string, string | readonly [title: string, text?: string]>>;

/** The name of a parameter as the platform's API writes it. */
export function snakeCase(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const acronyms = new Set(['api', 'html', 'id', 'ip', 'os', 'url', 'utm']);

/** "owner_id" as people read it: "Owner ID". */
export function titleCase(name: string): string {
	return name
		.split(/[\s_-]+/)
		.map((word) =>
			acronyms.has(word) ? word.toUpperCase() : word.slice(0, 1).toUpperCase() + word.slice(1),
		)
		.join(' ');
}

/** "waitForCompletion" → "Wait for Completion" */
export const titleOf = (name: string): string =>
	titleCase(snakeCase(name)).replace(/ (?:For|In|On|Per) /g, (word) => word.toLowerCase());

/** `usual`: what it has when it is added, or on a new node. */
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

/** A text for `more` is the example that it shows. */
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

export function switchFields(
	usual: boolean,
	texts: Readonly<Record<string, string>>,
): INodeProperties[] {
	return Object.entries(texts).map(([name, description]) => switchField(name, usual, description));
}

export function neededText(
	name: string,
	description: string,
	example: string,
	more?: More,
): INodeProperties {
	return textField(name, description, { required: true, placeholder: `e.g. ${example}`, ...more });
}

/** One of the choices; several where `usual` is a list. */
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

/** A condition that is met or not, as two named choices: off would look like no condition. */
export function eitherField(
	[displayName, name]: [displayName: string, name: string],
	choices: [yes: string, no: string],
	description: string,
): INodeProperties {
	const options = choices.map((choice, index) => ({ name: choice, value: index === 0 }));
	options.sort((a, b) => a.name.localeCompare(b.name));
	return field<boolean>('options')(name, true, description, { displayName, options });
}

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

/** Fields that are added one at a time, sorted as n8n wants them. */
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
