import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { faultsOf, faultText } from '../../scripts/lint/faults';
import { nodeSource } from '../../scripts/lint/source';
import { nodes } from './built';

/* Functions build what people see in the editor. n8n's lint reads literals only, and sees all of it through scripts/lint. */

const files = {
	action: 'nodes/EventPlatform/EventPlatform.node.ts',
	webhook: 'nodes/EventPlatform/EventPlatformTrigger.node.ts',
	polling: 'nodes/EventPlatform/EventPlatformPollingTrigger.node.ts',
};
type NodeName = keyof typeof files;

/** A copy that a fault may change. */
function descriptionOf(node: NodeName) {
	const index = Object.keys(files).indexOf(node);
	const description = nodes[index]?.loaded.description;
	if (!description) throw new Error(`There is no node ${node}`);
	return structuredClone(description);
}

/** All parameters, those inside of collections as well. */
function parametersIn(properties: readonly INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		const inner = (property.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
		return [property, ...parametersIn(inner)];
	});
}

/** The first parameter with this name, and this operation where there are several. */
function parameter(
	properties: readonly INodeProperties[],
	name: string,
	isWanted: (property: INodeProperties) => boolean = () => true,
): INodeProperties {
	const match = parametersIn(properties).find(
		(property) => property.name === name && isWanted(property),
	);
	if (!match) throw new Error(`There is no parameter ${name}`);
	return match;
}

const choicesOf = ({ options = [] }: INodeProperties) => options as INodePropertyOptions[];

interface Fault {
	what: string;
	node: NodeName;
	rule: string;
	/** Spoils one parameter of a description. */
	spoil(properties: INodeProperties[]): void;
}

/** One for each node, and one that the rules find in a list of choices. */
const faults: Fault[] = [
	{
		what: 'a title in the wrong case',
		node: 'action',
		rule: 'node-param-display-name-miscased',
		spoil: (all) => (parameter(all, 'maxWaitSeconds').displayName = 'max wait'),
	},
	{
		what: 'an operation without an action',
		node: 'action',
		rule: 'node-param-operation-option-without-action',
		spoil: (all) => {
			const [first] = choicesOf(parameter(all, 'operation'));
			Reflect.deleteProperty(first ?? {}, 'action');
		},
	},
	{
		what: 'an ID in the wrong case',
		node: 'polling',
		rule: 'node-param-display-name-miscased-id',
		spoil: (all) => (parameter(all, 'jobIds').displayName = 'Job Ids'),
	},
	{
		what: 'an unsorted multiple choice',
		node: 'webhook',
		rule: 'node-param-multi-options-type-unsorted-items',
		spoil: (all) => choicesOf(parameter(all, 'events')).reverse(),
	},
];

const faultsIn = (node: NodeName, description: INodeTypeDescription) =>
	faultsOf(nodeSource('Described', description), files[node]);

describe('the lint sees', () => {
	test.each(faults)('$what ($node)', ({ node, rule, spoil }) => {
		const before = descriptionOf(node).properties.map((property) => JSON.stringify(property));
		const description = descriptionOf(node);
		spoil(description.properties);
		// The others are left out, because to look at all of them takes a second.
		const properties = description.properties.filter(
			(property, index) => JSON.stringify(property) !== before[index],
		);
		const rules = faultsIn(node, { ...description, properties }).map((fault) => fault.rule);
		expect(rules).toContain(`n8n-nodes-base/${rule}`);
	});
});

test('a fault that several operations have is told once, with all of them', () => {
	const description = descriptionOf('action');
	for (const property of parametersIn(description.properties)) {
		if (property.name === 'maxWaitSeconds') property.displayName = 'max wait';
	}
	// In a test the lint takes each file for a trigger, and says so as well.
	const faults = faultsIn('action', description).filter(({ names }) => names.length > 1);
	expect(faults.map(faultText)).toEqual([
		'eventPlatform › options › maxWaitSeconds (job: wait, registration: bulkRegister, registration: sync)\n' +
			"  displayName: 'max wait',\n" +
			'  Change to title case [n8n-nodes-base/node-param-display-name-miscased]\n',
	]);
});
