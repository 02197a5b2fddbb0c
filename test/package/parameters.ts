import { NodeHelpers, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';

export type Choice = Record<string, string | boolean>;

/** Every combination of the choices that decide which parameters are shown. */
export function combinations({ properties }: INodeTypeDescription): Choice[] {
	const deciding = new Set(
		properties.flatMap(({ displayOptions }) => Object.keys(displayOptions?.show ?? {})),
	);
	return properties
		.filter(({ name }) => deciding.has(name))
		.reduce<Choice[]>(
			(found, property) =>
				found.flatMap((choice) =>
					isShown(property, choice)
						? values(property).map((value) => ({ ...choice, [property.name]: value }))
						: [choice],
				),
			[{}],
		);
}

/** What people see of a node with these choices. */
export function shownWith(choice: Choice, { properties }: INodeTypeDescription): INodeProperties[] {
	return properties.filter((property) => isShown(property, choice));
}

function isShown(property: INodeProperties, choice: Choice): boolean {
	return NodeHelpers.displayParameter(choice, property, null, null);
}

function values({ type, options = [] }: INodeProperties): Array<string | boolean> {
	if (type === 'boolean') return [true, false];
	return options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
}
