import { generateNodeTypeFile } from '@n8n/workflow-sdk/dist/generate-types/generate-types';
import { getEncoding } from 'js-tiktoken';
import { recordKinds } from '../../nodes/EventPlatform/core/records/recordKinds';
import { manifest, nodes } from './built';

/** An AI that builds workflows gets the whole definition of a node from n8n, which writes it from the description. */

const encoding = getEncoding('o200k_base');

/** The type that the builder has of a description, which is stricter in small things. */
type NodeOfBuilder = Parameters<typeof generateNodeTypeFile>[0];

/** The definition as n8n's builder and n8n's MCP server hand it out: without what is hidden. */
const definitions = nodes.map(({ loaded: { description } }) => {
	const properties = description.properties.filter(({ type }) => type !== 'hidden');
	const name = `${manifest.name}.${description.name}`;
	const node = { ...description, name, properties } as unknown as NodeOfBuilder;
	return { description, text: generateNodeTypeFile(node) };
});
const textOf = (node: string) =>
	definitions.find(({ description }) => description.name === node)?.text ?? '';

test.each([
	['eventPlatform', 16_000],
	['eventPlatformTrigger', 2_000],
	['eventPlatformPollingTrigger', 2_000],
])('a model reads all of %s in at most %i tokens', (node, most) => {
	const tokens = encoding.encode(textOf(node)).length;
	expect(tokens).toBeGreaterThan(most / 4);
	expect(tokens).toBeLessThanOrEqual(most);
});

test('the definitions have each parameter, each option and each value that can be chosen', () => {
	for (const { description, text } of definitions) {
		const missing = namesIn(description.properties).filter((name) => !text.includes(name));
		expect(missing).toEqual([]);
	}
});

test('the definition has the name of each field that can be returned', () => {
	const words = new Set(textOf('eventPlatform').match(/\w+/g));
	for (const { usual, further } of Object.values(recordKinds)) {
		expect([...usual, ...further].filter((name) => !words.has(name))).toEqual([]);
	}
});

/** What a parameter may have inside: options, groups of fields, or values to choose. */
interface Described {
	name: string;
	type?: string;
	value?: string | number | boolean;
	options?: unknown[];
	values?: unknown[];
}

/** The names of parameters and the values of choices, at any depth. The names of choices are for people. */
function namesIn(all: unknown[]): string[] {
	return (all as Described[]).flatMap(({ name, type, value, options = [], values = [] }) =>
		['hidden', 'notice'].includes(type ?? '')
			? []
			: [value === undefined ? name : String(value), ...namesIn(options), ...namesIn(values)],
	);
}
