import { type INodeProperties, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { nodes } from './built';

const descriptions = nodes.map(
	({ loaded }) => [loaded.description.name, loaded.description] as const,
);

describe.each(descriptions)('%s', (_, description) => {
	const choices = combinations(description);

	test('every parameter can be reached by its choices', () => {
		// Some are shown in the tool of an agent alone.
		const asTool = { ...description, name: `${description.name}Tool` };
		const reached = new Set(
			[description, asTool].flatMap((type) => choices.flatMap((choice) => shownWith(choice, type))),
		);
		const lost = description.properties.filter((property) => !reached.has(property));
		expect(lost).toEqual([]);
	});

	test('no two parameters with one name are shown at a time', () => {
		const doubled = choices.flatMap((choice) => {
			const names = shownWith(choice, description).map(({ name }) => name);
			return names.filter((name, at) => names.indexOf(name) !== at).map((name) => [choice, name]);
		});
		expect(doubled).toEqual([]);
	});

	test('every choice that shows a parameter exists', () => {
		for (const { displayOptions } of description.properties) {
			for (const [name, values = []] of Object.entries(displayOptions?.show ?? {})) {
				if (name === '@tool') continue;
				const deciding = description.properties.filter((property) => property.name === name);
				expect(deciding.length).toBeGreaterThan(0);
				const offered = deciding.flatMap(({ type, options = [] }) =>
					type === 'boolean'
						? [true, false]
						: options.map((option) => 'value' in option && option.value),
				);
				expect(offered).toEqual(expect.arrayContaining(values as unknown[]));
			}
		}
	});
});

test('a switch that is added to the options is on, unless it removes people', () => {
	const switches = nodes
		.flatMap(({ loaded }) => loaded.description.properties)
		.filter(({ name, type }) => name === 'options' && type === 'collection')
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.filter(({ type }) => type === 'boolean');
	expect(switches.length).toBeGreaterThan(4);
	const removes = ({ description = '' }: INodeProperties) =>
		/^Whether to (?:remove|unregister)/.test(description);
	expect(switches.filter((parameter) => parameter.default === removes(parameter))).toEqual([]);
});

type Choice = Record<string, string | boolean>;

/** Every combination of the choices that decide which parameters are shown. */
function combinations({ properties }: INodeTypeDescription): Choice[] {
	const deciding = new Set(
		properties.flatMap(({ displayOptions }) => Object.keys(displayOptions?.show ?? {})),
	);
	return properties
		.filter(({ name }) => deciding.has(name))
		.reduce<Choice[]>(
			(choices, property) =>
				choices.flatMap((choice) =>
					isShown(property, choice)
						? values(property).map((value) => ({ ...choice, [property.name]: value }))
						: [choice],
				),
			[{}],
		);
}

/** Gives the properties that people see of a node with these choices. */
function shownWith(choice: Choice, description: INodeTypeDescription): INodeProperties[] {
	return description.properties.filter((property) => isShown(property, choice, description));
}

function isShown(
	property: INodeProperties,
	choice: Choice,
	description: INodeTypeDescription | null = null,
): boolean {
	return NodeHelpers.displayParameter(choice, property, null, description);
}

function values({ type, options = [] }: INodeProperties): Array<string | boolean> {
	if (type === 'boolean') return [true, false];
	return options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
}
