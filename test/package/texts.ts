import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	cronNodeOptions,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';
import * as ts from 'typescript';
import { credentials, nodes, root } from './built';

export type Named = (INodeProperties | INodePropertyOptions | INodePropertyCollection) & {
	description?: string;
};

/** Parameters and their choices, and those inside them, of all nodes and credentials. */
export const allNamed: Named[] = [
	...nodes.flatMap(({ loaded }) => loaded.description.properties),
	...credentials.flatMap(({ loaded }) => loaded.properties),
].flatMap(within);

function within(one: Named): Named[] {
	// n8n's own choice of times has n8n's own words.
	const options = 'options' in one && one.options !== cronNodeOptions ? (one.options ?? []) : [];
	const values = 'values' in one ? one.values : [];
	return [one, ...[...options, ...values].flatMap(within)];
}

/** What it is called in the editor; undefined where it is a text of its own, or not shown. */
export function nameOf(one: Named): string | undefined {
	if ('type' in one && ['notice', 'hidden'].includes(one.type)) return undefined;
	return 'displayName' in one ? one.displayName : one.name;
}

/** A text of the sources and where it stands; what is filled in at run time is an ellipsis. */
export type Text = [place: string, text: string];

export function sourceTexts(): Text[] {
	return ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.flatMap((file) => textsOf(join(folder, file))),
	);
}

function textsOf(path: string): Text[] {
	const source = readFileSync(join(root, path), 'utf8');
	const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
	const found: Text[] = [];
	const visit = (node: ts.Node): void => {
		const text = read(node);
		const { line } = file.getLineAndCharacterOfPosition(node.getStart());
		// Whatever has a space between words is for people, or an expression of n8n.
		if (/[a-z…] |[ ][a-z]/.test(text) && !text.startsWith('=')) {
			found.push([`${path}:${line + 1}`, text]);
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found;
}

function read(node: ts.Node): string {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return '';
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}
