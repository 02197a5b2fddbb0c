import * as ts from 'typescript';

/** Lists the nodes inside a node. A closed node is listed, and the nodes in it are not. */
export function nodesIn(
	node: ts.Node,
	isClosed: (node: ts.Node) => boolean = () => false,
): ts.Node[] {
	const nodes: ts.Node[] = [];
	const visit = (child: ts.Node): void => {
		nodes.push(child);
		if (!isClosed(child)) ts.forEachChild(child, visit);
	};
	ts.forEachChild(node, visit);
	return nodes;
}

/** The text of a literal or a template; a value in it is an ellipsis. */
export function textOf(node: ts.Node): string {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return '';
	const literals = node.templateSpans.map(({ literal }) => literal.text);
	return [node.head.text, ...literals].join('…').replace(/…+/g, '…');
}
