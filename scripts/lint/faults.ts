import { Linter } from 'eslint';
import { configs, rules } from 'eslint-plugin-n8n-nodes-base';
import { parser } from 'typescript-eslint';
import type { SourceLine } from './source';

/** A fault that n8n's lint finds in a description, wherever the same words stand. */
export interface Fault {
	/** The rule of n8n's lint. */
	rule: string;
	/** The advice on it, in n8n's words. */
	message: string;
	/** The names of the parameter and of what it stands in, the outermost first. */
	names: string[];
	/** The line of the description that the rule points to. */
	text: string;
	/** The resources and operations that the parameter belongs to; empty where it belongs to all. */
	operations: string[];
}

/** A member of a description, as far as a message names it. */
interface Member {
	name?: unknown;
	displayOptions?: { show?: { resource?: unknown[]; operation?: unknown[] } };
}

const linter = new Linter();

/** Gives the faults that n8n's lint finds in a description, each once. The file decides which rules apply. */
export function faultsOf(lines: readonly SourceLine[], file: string): Fault[] {
	const faults = new Map<string, Fault>();
	const source = lines.map(({ text }) => `${text}\n`).join('');
	for (const { ruleId, message, line } of linter.verify(source, configOf(file), file)) {
		const { text, objects } = lines[line - 1] ?? { text: '', objects: [] };
		const fault: Fault = {
			rule: ruleId ?? 'syntax',
			// Nothing mends this source: it is not kept.
			message: message.replace(/ \[(?:non-)?autofixable\]$/, ''),
			names: objects.map(({ name }: Member) => name).filter((name) => typeof name === 'string'),
			text: text.trim(),
			operations: [],
		};
		const key = JSON.stringify(fault);
		const first = faults.get(key) ?? fault;
		first.operations.push(...operationsOf(objects));
		faults.set(key, first);
	}
	return [...faults.values()];
}

/** The sentence for people: where it is, what stands there, and what to do. */
export function faultText({ rule, message, names, text, operations }: Fault): string {
	const place = names.join(' › ');
	const of = operations.length === 0 ? '' : ` (${[...new Set(operations)].join(', ')})`;
	return `${place}${of}\n  ${text}\n  ${message} [${rule}]\n`;
}

/** Names each operation that shows the parameter in the way people know it, such as "event: create". */
function operationsOf(objects: readonly object[]): string[] {
	const show = objects.map(({ displayOptions }: Member) => displayOptions?.show ?? {});
	const resources = show.flatMap(({ resource = [] }) => resource).map(String);
	const operations = show.flatMap(({ operation = [] }) => operation).map(String);
	if (operations.length === 0) return resources;
	if (resources.length === 0) return operations;
	return resources.flatMap((resource) => operations.map((name) => `${resource}: ${name}`));
}

function configOf(file: string): Linter.Config {
	const isCredential = file.startsWith('credentials/');
	return {
		files: ['**/*.ts'],
		languageOptions: { parser },
		plugins: { 'n8n-nodes-base': { rules } },
		rules: isCredential
			? {
					...configs.credentials.rules,
					// This rule is for n8n's own repository, where the documentation is a slug of its site.
					'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
				}
			: {
					...configs.nodes.rules,
					// The event types of a trigger begin with what most people want.
					'n8n-nodes-base/node-param-multi-options-type-unsorted-items': 'off',
				},
	};
}
