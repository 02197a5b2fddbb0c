import type { INodeProperties } from 'n8n-workflow';
import { titleOf } from './fieldNames';

/*
 * These functions describe a parameter in the form that n8n wants (INodeProperties): there is one for each kind of field in the
 * panel of a node. The title is the name in words, and `more` holds all that differs from the kind, such as another title.
 */

type FieldSettings = Partial<INodeProperties>;

export interface Choice {
	readonly name: string;
	readonly description?: string;
}

/** By their values. A text is the description of a choice whose name is its value in words. */
export type Choices = Readonly<Record<string, string | Choice>>;

interface Condition {
	readonly displayName: string;
	readonly name: string;
	readonly yes: string;
	readonly no: string;
	readonly description: string;
}

type FieldBuilder<Value> = (
	name: string,
	initial: Value,
	description?: string,
	more?: FieldSettings,
) => INodeProperties;

/** A text for `more` is the example that an empty field shows. */
type EmptyFieldBuilder = (
	name: string,
	description?: string,
	more?: FieldSettings | string,
) => INodeProperties;

/** The field with the name `first` stands above the others, which are sorted by title. */
type CollectionBuilder = (fields: INodeProperties[], first?: string) => INodeProperties;

function field<Value extends INodeProperties['default']>(
	type: INodeProperties['type'],
): FieldBuilder<Value> {
	return (name, initial, description, more) => ({
		displayName: titleOf(name),
		name,
		type,
		default: initial,
		...(description !== undefined && { description }),
		...more,
	});
}

function emptyField(type: INodeProperties['type']): EmptyFieldBuilder {
	const buildField = field<''>(type);
	return (name, description, more) =>
		buildField(
			name,
			'',
			description,
			typeof more === 'string' ? { placeholder: `e.g. ${more}` } : more,
		);
}

export const switchField: FieldBuilder<boolean> = field('boolean');
export const numberField: FieldBuilder<number> = field('number');
export const textField: EmptyFieldBuilder = emptyField('string');
export const dateField: EmptyFieldBuilder = emptyField('dateTime');
export const emptyNumberField: EmptyFieldBuilder = emptyField('number');

export function switchFields(
	initial: boolean,
	texts: Readonly<Record<string, string>>,
): INodeProperties[] {
	return Object.entries(texts).map(([name, description]) =>
		switchField(name, initial, description),
	);
}

export function neededText(
	name: string,
	description: string,
	example: string,
	more?: FieldSettings,
): INodeProperties {
	return textField(name, description, { required: true, placeholder: `e.g. ${example}`, ...more });
}

/** A list as `initial` allows several choices. */
export function choiceField(
	name: string,
	choices: Choices | string[],
	initial: string | string[],
	description: string,
	more?: FieldSettings,
): INodeProperties {
	const choicesByValue: Choices = Array.isArray(choices)
		? Object.fromEntries(choices.map((value) => [value, { name: titleOf(value) }]))
		: choices;
	const options = Object.entries(choicesByValue).map(([value, choice]) => {
		const { name: choiceName, description: choiceDescription } =
			typeof choice === 'string' ? { name: titleOf(value), description: choice } : choice;
		return { name: choiceName, value, description: choiceDescription };
	});
	const type = Array.isArray(initial) ? 'multiOptions' : 'options';
	return field<string | string[]>(type)(name, initial, description, { options, ...more });
}

/** A switch that is off would look like no condition, so it is a choice of two. */
export function eitherField({
	displayName,
	name,
	yes,
	no,
	description,
}: Condition): INodeProperties {
	const options = [
		{ name: yes, value: true },
		{ name: no, value: false },
	].sort((a, b) => a.name.localeCompare(b.name));
	return field<boolean>('options')(name, true, description, { displayName, options });
}

/** `itemTitle`: an expression that gives the title of a row in the panel. */
export function rowsField(
	name: string,
	rowName: string,
	itemTitle: string,
	values: INodeProperties[],
	description: string,
	{ typeOptions, ...more }: FieldSettings = {},
): INodeProperties {
	return field<Record<string, never>>('fixedCollection')(name, {}, description, {
		typeOptions: { multipleValues: true, fixedCollection: { itemTitle }, ...typeOptions },
		placeholder: `Add ${titleOf(rowName)}`,
		options: [{ displayName: titleOf(rowName), name: rowName, values }],
		...more,
	});
}

/** Makes the function for a collection. `noun` is what people add to it. */
function collection(name: string, noun: string): CollectionBuilder {
	return (fields, first) => ({
		displayName: titleOf(name),
		name,
		type: 'collection',
		placeholder: `Add ${noun}`,
		default: {},
		options: [...fields].sort(
			(a, b) =>
				Number(b.name === first) - Number(a.name === first) ||
				a.displayName.localeCompare(b.displayName),
		),
	});
}

export const optionsField: CollectionBuilder = collection('options', 'Option');
export const additionalFields: CollectionBuilder = collection('additionalFields', 'Field');
export const updateFields: CollectionBuilder = collection('updateFields', 'Field');

export const filtersField: CollectionBuilder = collection('filters', 'Filter');
