import { join } from 'node:path';
import { ESLint, type Linter } from 'eslint';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { nodeSource } from '../../scripts/lint/described';
import { nodes, root } from './built';

/* What people see in the editor is built by functions, and n8n's lint sees all of it. */

const config = jest.requireActual<Linter.Config[]>(join(root, 'scripts/lint/described.config.cjs'));
const lint = new ESLint({ cwd: root, overrideConfigFile: true, overrideConfig: config });

/** The rules that a source breaks, each once. */
async function brokenRules(source: string, file: string): Promise<string[]> {
	const [result] = await lint.lintText(source, { filePath: join(root, 'reports/described', file) });
	const rules = (result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? message);
	return [...new Set(rules)].map((rule) => rule.replace('n8n-nodes-base/', ''));
}

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
	return properties.flatMap((one) => {
		const inner = (one.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
		return [one, ...parametersIn(inner)];
	});
}

/** The first parameter with this name, and this operation where there are several. */
function parameter(
	properties: readonly INodeProperties[],
	name: string,
	isWanted: (one: INodeProperties) => boolean = () => true,
): INodeProperties {
	const found = parametersIn(properties).find((one) => one.name === name && isWanted(one));
	if (!found) throw new Error(`There is no parameter ${name}`);
	return found;
}

const choicesOf = ({ options = [] }: INodeProperties) => options as INodePropertyOptions[];

interface Fault {
	what: string;
	node: NodeName;
	rule: string;
	/** Spoils one parameter of a description. */
	spoil(properties: INodeProperties[]): void;
}

const faults: Fault[] = [
	{
		what: 'a title in the wrong case',
		node: 'action',
		rule: 'node-param-display-name-miscased',
		spoil: (all) => (parameter(all, 'maxWaitSeconds').displayName = 'max wait'),
	},
	{
		what: 'a missing default',
		node: 'action',
		rule: 'node-param-default-missing',
		spoil: (all) => Reflect.deleteProperty(parameter(all, 'output'), 'default'),
	},
	{
		what: 'a description of one sentence with a full stop',
		node: 'polling',
		rule: 'node-param-description-excess-final-period',
		spoil: (all) => (parameter(all, 'endedWithinDays').description = 'How long to look back.'),
	},
	{
		what: 'an unsorted collection',
		node: 'action',
		rule: 'node-param-collection-type-unsorted-items',
		spoil: (all) => {
			const isLong = ({ options = [] }: INodeProperties) => options.length >= 5;
			parameter(all, 'additionalFields', isLong).options?.reverse();
		},
	},
	{
		what: 'a switch whose description does not begin with Whether',
		node: 'action',
		rule: 'node-param-description-boolean-without-whether',
		spoil: (all) => (parameter(all, 'removeOthers').description = 'Unregister the other people'),
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
		what: 'two choices with one name',
		node: 'webhook',
		rule: 'node-param-option-name-duplicate',
		spoil: (all) => {
			const [first, second] = choicesOf(parameter(all, 'verify'));
			Object.assign(second ?? {}, { name: first?.name });
		},
	},
	{
		what: 'a limit without its least value',
		node: 'action',
		rule: 'node-param-type-options-missing-from-limit',
		spoil: (all) => Reflect.deleteProperty(parameter(all, 'limit'), 'typeOptions'),
	},
	{
		what: 'a text that has a number as its default',
		node: 'webhook',
		rule: 'node-param-default-wrong-for-string',
		spoil: (all) => (parameter(all, 'otherEvents').default = 7),
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
	{
		what: 'a description that says nothing more than the title',
		node: 'action',
		rule: 'node-param-description-identical-to-display-name',
		spoil: (all) => {
			const name = parameter(all, 'utmSource');
			name.description = name.displayName;
		},
	},
];

describe('the lint sees', () => {
	test.each(faults)('$what ($node)', async ({ node, rule, spoil }) => {
		const before = descriptionOf(node).properties.map((one) => JSON.stringify(one));
		const description = descriptionOf(node);
		spoil(description.properties);
		// The others are left out, because to look at all of them takes a second.
		const properties = description.properties.filter(
			(one, index) => JSON.stringify(one) !== before[index],
		);
		const source = nodeSource('Described', { ...description, properties });
		expect(await brokenRules(source, files[node])).toContain(rule);
	});
});
