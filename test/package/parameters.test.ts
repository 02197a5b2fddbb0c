import {
	cronNodeOptions,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';
import { credentials, nodes } from './built';

const descriptions = nodes.map(
	({ loaded }) => [loaded.description.name, loaded.description] as const,
);
const ofNodes = nodes.flatMap(({ loaded }) => parametersOf(loaded.description));
const all = [...ofNodes, ...credentials.flatMap(({ loaded }) => parametersOf(loaded))];

describe.each(descriptions)('%s', (_, description) => {
	const choices = combinations(description);

	test('every parameter can be reached by its choices', () => {
		const reached = new Set(choices.flatMap((choice) => shownWith(choice, description)));
		const lost = description.properties.filter((property) => !reached.has(property));
		expect(lost.map((property) => `${pathOf(property)} ${property.name}`)).toEqual([]);
	});

	test('no two parameters with one name are shown at a time', () => {
		for (const choice of choices) {
			const names = shownWith(choice, description).map(({ name }) => name);
			expect({ choice, names: names.filter((name, at) => names.indexOf(name) !== at) }).toEqual({
				choice,
				names: [],
			});
		}
	});

	test('every choice that shows a parameter exists', () => {
		for (const { displayOptions } of description.properties) {
			for (const [name, values = []] of Object.entries(displayOptions?.show ?? {})) {
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

describe('what people read', () => {
	test('every parameter is explained, in a tooltip or a hint', () => {
		const silent = [
			...['notice', 'callout', 'hidden', 'collection', 'fixedCollection'],
			...['resource', 'operation', 'authentication'],
		];
		const explained = all.filter(
			([, { type, name }]) => !silent.includes(type) && !silent.includes(name),
		);
		const isExplained = ({ hint = '', description = hint, displayName }: INodeProperties) =>
			description.length > 10 && description.toLowerCase() !== displayName.toLowerCase();
		expect(offenders(explained, isExplained)).toEqual([]);
	});

	test('a switch that is added to the options is on, unless it removes people', () => {
		const options = all.filter(([, { name, type }]) => name === 'options' && type === 'collection');
		const switches = options.flatMap(([place, { options: added = [] }]) =>
			(added as INodeProperties[])
				.filter(({ type }) => type === 'boolean')
				.map((one): (typeof all)[number] => [`${place} ${one.name}`, one]),
		);
		expect(switches.length).toBeGreaterThan(4);
		const removes = ({ description = '' }: INodeProperties) =>
			/^Whether to (?:remove|unregister)/.test(description);
		expect(offenders(switches, (one) => one.default !== removes(one))).toEqual([]);
	});

	test('every operation says in a line what it does', () => {
		const operations = all
			.filter(([, { name }]) => name === 'operation')
			.flatMap(([, { options = [] }]) => options as INodePropertyOptions[]);
		expect(operations.length).toBeGreaterThan(30);
		const isShort = ({ action = '', description = '' }: INodePropertyOptions) =>
			/^[A-Z][a-z ]{5,60}(?: ID)?$/.test(action) && /^.{21,129}$/.test(description);
		expect(operations.filter((one) => !isShort(one))).toEqual([]);
	});
});

function parametersOf({ name, properties }: { name: string; properties: INodeProperties[] }) {
	return properties.flatMap((property) =>
		within(property).map((one) => [`${name} ${pathOf(property)} ${one.name}`, one] as const),
	);
}

function offenders(
	properties: typeof all,
	isRight: (property: INodeProperties) => boolean,
): string[] {
	return properties.filter(([, property]) => !isRight(property)).map(([place]) => place);
}

/** The property and what is inside it. */
function within(property: INodeProperties): INodeProperties[] {
	// n8n's own choice of times has n8n's own words.
	if (property.options === cronNodeOptions) return [property];
	const inner = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values.flatMap(within);
		return 'type' in option && 'displayName' in option ? within(option) : [];
	});
	return [property, ...inner];
}

function pathOf({ displayOptions }: INodeProperties): string {
	return Object.values(displayOptions?.show ?? {})
		.map((values) => JSON.stringify(values))
		.join('');
}

type Choice = Record<string, string | boolean>;

/** Every combination of the choices that decide which parameters are shown. */
function combinations({ properties }: INodeTypeDescription): Choice[] {
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
function shownWith(choice: Choice, { properties }: INodeTypeDescription): INodeProperties[] {
	return properties.filter((property) => isShown(property, choice));
}

function isShown(property: INodeProperties, choice: Choice): boolean {
	return NodeHelpers.displayParameter(choice, property, null, null);
}

function values({ type, options = [] }: INodeProperties): Array<string | boolean> {
	if (type === 'boolean') return [true, false];
	return options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
}
