import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { resolveOutputSchemaPath } from 'n8n-core';
import { NodeHelpers, type INodePropertyOptions } from 'n8n-workflow';
import { text } from '../../nodes/EventPlatform/core/values/text';
import { manifest, nodes, root } from './built';

const [action] = nodes;
const operations = (action?.loaded.description.properties ?? [])
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) =>
		(options as INodePropertyOptions[]).map(
			({ value }) => [text(displayOptions?.show?.resource?.[0]), text(value)] as const,
		),
	);

test.each(operations)('n8n finds the preview of %s %s where it looks', (resource, operation) => {
	const path = resolveOutputSchemaPath({
		nodeDir: dirname(join(root, action?.path ?? '')),
		version: String(action?.loaded.description.version),
		resource,
		operation,
	});
	const schema = JSON.parse(readFileSync(path ?? '', 'utf8')) as { properties: object };
	expect(Object.keys(schema.properties)).not.toEqual([]);
});

test('what most people want and what a first run needs stand first', () => {
	expect(operations[0]).toEqual(['registration', 'bulkRegister']);
	const firstOption = (operation: string) =>
		action?.loaded.description.properties.find(
			({ name, displayOptions }) =>
				name === 'options' && displayOptions?.show?.operation?.includes(operation),
		)?.options?.[0]?.name;
	expect([firstOption('bulkRegister'), firstOption('sync')]).toEqual(['validateOnly', 'dryRun']);
});

test('a list says in an agent’s tool, and only there, how many records an agent gets', () => {
	const { description } = action?.loaded ?? {};
	const notice = description?.properties.find(({ name }) => name === 'limitOfTool');
	if (!description || !notice) throw new Error('There is no notice');
	expect(notice.displayName).toContain('at most 20 records');
	const chosen = { resource: 'event', operation: 'getAll' };
	const isShown = (name: string) =>
		NodeHelpers.displayParameter(chosen, notice, null, { ...description, name });
	expect([isShown('eventPlatformTool'), isShown('eventPlatform')]).toEqual([true, false]);
});

describe('what an AI that builds workflows is told', () => {
	const hints = nodes.map(({ loaded }) => loaded.description.builderHint);

	test('stands at every node', () => {
		expect(hints.map((hint) => hint?.searchHint)).toEqual(
			nodes.map(() => expect.stringMatching(/\.$/) as string),
		);
	});

	test('names nodes and operations that exist', () => {
		const types = nodes.map(({ loaded }) => `${manifest.name}.${loaded.description.name}`);
		const related = hints.flatMap((hint) => hint?.relatedNodes ?? []);
		expect(related.length).toBeGreaterThan(4);
		expect(types).toEqual(expect.arrayContaining(related.map(({ nodeType }) => nodeType)));
		const named = [...(hints[0]?.searchHint ?? '').matchAll(/use '(\w+)'/g)];
		expect(named.map(([, operation]) => operation)).toEqual(['bulkRegister', 'sync', 'getReport']);
		for (const [, operation = ''] of named) {
			expect(operations.map(([, name]) => name)).toContain(operation);
		}
	});

	test('has examples whose parameters exist', () => {
		const { properties = [], builderHint } = action?.loaded.description ?? {};
		const examples = builderHint?.extraTypeDefContent ?? [];
		expect(examples.length).toBeGreaterThan(4);
		for (const { content, displayOptions } of examples) {
			const code = /^<pattern title="[^"]+">\n([\s\S]+)\n<\/pattern>$/.exec(content)?.[1] ?? '';
			const own = runInNewContext(`({${code}})`, {
				expr: (expression: string) => `=${expression}`,
			}) as Record<string, unknown>;
			const { resource = [], operation = [] } = displayOptions?.show ?? {};
			const [[ofResource], [named]] = [resource.map(text), operation.map(text)];
			expect(operations).toContainEqual([ofResource, named]);
			expect(Object.keys(own)).not.toEqual([]);
			for (const [name, value] of Object.entries(own)) {
				const [property] = properties.filter(
					(parameter) =>
						parameter.name === name &&
						parameter.displayOptions?.show?.resource?.includes(ofResource) &&
						parameter.displayOptions.show.operation?.includes(named),
				);
				expect([ofResource, named, name, property?.name]).toEqual([ofResource, named, name, name]);
				if (property?.type !== 'collection') continue;
				const names = (property.options ?? []).map((option) => option.name);
				expect(names).toEqual(expect.arrayContaining(Object.keys(value as object)));
			}
		}
	});
});
