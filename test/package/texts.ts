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
	return nodesIn(file).flatMap((node): Text[] => {
		const text = textOf(node);
		const { line } = file.getLineAndCharacterOfPosition(node.getStart());
		// Whatever has a space between words is for people, or an expression of n8n.
		const isShown = /[a-z…] |[ ][a-z]/.test(text) && !text.startsWith('=');
		return isShown ? [[`${path}:${line + 1}`, text]] : [];
	});
}

/** All that is inside a node, but for what is inside of these. */
export function nodesIn(
	node: ts.Node,
	isClosed: (node: ts.Node) => boolean = () => false,
): ts.Node[] {
	const found: ts.Node[] = [];
	const visit = (one: ts.Node): void => {
		found.push(one);
		if (!isClosed(one)) ts.forEachChild(one, visit);
	};
	ts.forEachChild(node, visit);
	return found;
}

/** Of a literal or a template. */
export function textOf(node: ts.Node): string {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return '';
	const literals = node.templateSpans.map(({ literal }) => literal.text);
	return [node.head.text, ...literals].join('…').replace(/…+/g, '…');
}
