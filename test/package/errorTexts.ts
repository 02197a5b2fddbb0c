import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { root } from './built';
import { nodesIn, textOf } from './texts';

/** What a message calls a session that has no title: no message by itself. */
const nameOfSession = 'The session …';

const sources = ['nodes', 'credentials'].map((folder) => join(root, folder));

/**
 * The first sentence of every error and hint that the nodes and the tests of the credentials can show, and of what
 * the trigger logs about a delivery. Read from the sources: what stands where a message is given, followed
 * through conditions, constants, calls and parameters. What is only known at run time is an ellipsis.
 */
export function errorTexts(): string[] {
	const { checker, all } = readSources();
	// Until all calls are known, a parameter leads nowhere.
	let calls: Array<[call: ts.CallExpression, functions: ts.Node[]]> = [];
	calls = all.filter(ts.isCallExpression).map((call) => [call, values(call.expression)]);
	const texts = all.flatMap(messagesAt).flatMap((place) => textsOf(values(place)));
	return [...new Set(texts)].filter((text) => text !== nameOfSession).sort();

	/** What an expression may come to: texts, and functions. */
	function values(node: ts.Node, seen: ReadonlySet<ts.Node> = new Set()): ts.Node[] {
		if (seen.has(node)) return [];
		const on = (next?: ts.Node) => (next ? values(next, new Set([...seen, node])) : []);
		if (ts.isStringLiteralLike(node) || isFunction(node)) return [node];
		if (ts.isTemplateExpression(node)) {
			if (/[a-z]/i.test(textOf(node))) return [node];
			// One of nothing but values says what the first of them says that is a text of ours.
			const said = node.templateSpans.map(({ expression }) => on(expression));
			return said.find((found) => textsOf(found).length > 0) ?? [];
		}
		if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return on(node.expression);
		if (ts.isAwaitExpression(node)) return on(node.expression);
		if (ts.isConditionalExpression(node)) return [...on(node.whenTrue), ...on(node.whenFalse)];
		if (ts.isBinaryExpression(node)) return [...on(node.left), ...on(node.right)];
		if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(on);
		if (ts.isObjectLiteralExpression(node)) {
			return node.properties.filter(ts.isPropertyAssignment).flatMap((one) => on(one.initializer));
		}
		if (ts.isSpreadElement(node)) return on(node.expression);
		if (ts.isCallExpression(node)) {
			return [...ofArray(node).flatMap(on), ...on(node.expression).flatMap(returned).flatMap(on)];
		}
		// Of a table.
		if (ts.isElementAccessExpression(node)) return on(node.expression);
		const declaration = declarationOf(node);
		if (!declaration) return [];
		if (ts.isParameter(declaration)) return given(declaration).flatMap(on);
		return on(ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration);
	}

	/** What a parameter is called with. */
	function given(parameter: ts.ParameterDeclaration): ts.Node[] {
		const { parent } = parameter;
		// What is given to `map` is called with each element.
		const mapped = parent.parent;
		if (ts.isCallExpression(mapped) && ts.isPropertyAccessExpression(mapped.expression)) {
			return [mapped.expression.expression];
		}
		return calls
			.filter(([, functions]) => functions.includes(parent))
			.flatMap(([call]) => call.arguments[parent.parameters.indexOf(parameter)] ?? []);
	}

	function declarationOf(node: ts.Node): ts.Declaration | undefined {
		const isShorthand = ts.isShorthandPropertyAssignment(node.parent);
		const symbol = isShorthand
			? checker.getShorthandAssignmentValueSymbol(node.parent)
			: checker.getSymbolAtLocation(ts.isPropertyAccessExpression(node) ? node.name : node);
		if (!symbol) return undefined;
		const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
		return (isAlias ? checker.getAliasedSymbol(symbol) : symbol).declarations?.[0];
	}

	/** The expressions of this node that are messages of errors. */
	function messagesAt(node: ts.Node): ts.Node[] {
		if (ts.isNewExpression(node)) {
			const name = node.expression.getText();
			const place = /^Node(?:Operation|Api)Error$/.test(name) ? 1 : 0;
			return /(?:Error|Failed|^Invalid\w+)$/.test(name)
				? [node.arguments?.[place] ?? []].flat()
				: [];
		}
		if (ts.isObjectLiteralExpression(node)) {
			return messageOf(node).flatMap((one) => (isFunction(one) ? returned(one) : [one]));
		}
		if (ts.isCallExpression(node)) return messagesOfCall(node);
		if (ts.isPropertyAssignment(node) && node.name.getText() === 'hints') return [node.initializer];
		if (isFunction(node) && /^hints/.test(node.name?.getText() ?? '')) return returned(node);
		if (ts.isArrayLiteralExpression(node)) {
			const title = node.elements[placeOfTitle(checker.getContextualType(node))];
			return title === undefined ? [] : isFunction(title) ? returned(title) : [title];
		}
		if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
			return /^\w+\.message$/.test(node.left.getText()) ? [node.right] : [];
		}
		return [];
	}

	/** In a tuple whose elements have names. */
	function placeOfTitle(type: ts.Type | undefined): number {
		const { target } = (type ?? {}) as Partial<ts.TupleTypeReference>;
		const names = target?.labeledElementDeclarations?.map((one) => one?.name.getText());
		return names?.indexOf('title') ?? -1;
	}
}

/** Of `{ title, next }`, `{ title, description }`, `{ message, … }`, `{ problem }`, `{ doubt }`, and why a delivery starts nothing. */
function messageOf(node: ts.ObjectLiteralExpression): ts.Node[] {
	const property = (name: string) => node.properties.find((one) => one.name?.getText() === name);
	const isGood = /OK/.test(property('status')?.getText() ?? '');
	const [told] = [
		...['message', 'errorMessage', 'problem', 'doubt', 'denied', 'unclear'].map(property),
		(property('description') ?? property('next')) && property('title'),
		/^kind: '(?:ignore|retryLater|forged|unreadable)'$/.test(property('kind')?.getText() ?? '')
			? property('reason')
			: undefined,
	].flatMap((one) => one ?? []);
	if (!told || isGood) return [];
	if (ts.isShorthandPropertyAssignment(told)) return [told.name];
	return ts.isPropertyAssignment(told) ? [told.initializer] : [];
}

/** The first sentences of what is a text; names of parameters and such are none. */
function textsOf(values: ts.Node[]): string[] {
	return values
		.map(textOf)
		.filter((text) => /[a-z]/i.test(text) && text.includes(' '))
		.map((text) => (text.trim().split(/(?<=\.) /)[0] ?? '').replace(/[.,]$/, ''))
		.filter((text) => /[a-z]/i.test(text));
}

/** What is pushed to a list of problems or hints, and what is shown as a hint. */
function messagesOfCall({ expression, arguments: given }: ts.CallExpression): ts.Node[] {
	const called = expression.getText();
	if (/(?:^|\.)(?:problems|hints)\.push$/.test(called)) return [...given];
	if (/(?:^|\.)hint$/.test(called)) return [...given];
	const isForEach = ts.isPropertyAccessExpression(expression) && expression.name.text === 'forEach';
	return isForEach && /(?:^|\.)hint$/.test(given[0]?.getText() ?? '')
		? [expression.expression]
		: [];
}

/** What a method of an array makes of it: the text that a joined one begins with, or what becomes of its elements. */
function ofArray({ expression, arguments: [given] }: ts.CallExpression): ts.Node[] {
	if (!ts.isPropertyAccessExpression(expression)) return [];
	const { name, expression: list } = expression;
	switch (name.text) {
		case 'join':
			return ts.isArrayLiteralExpression(list) ? list.elements.slice(0, 1) : [list];
		case 'map':
		case 'flatMap':
			return given === undefined ? [] : isFunction(given) ? returned(given) : [given];
		case 'filter':
		case 'flat':
			return [list];
		default:
			return [];
	}
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
	return ts.isFunctionLike(node) && 'body' in node;
}

function returned(node: ts.Node): ts.Node[] {
	if (!isFunction(node) || !node.body) return [];
	if (!ts.isBlock(node.body)) return [node.body];
	return nodesIn(node.body, ts.isFunctionLike).flatMap((one) =>
		ts.isReturnStatement(one) ? (one.expression ?? []) : [],
	);
}

/** The codes of reasons: those that are written where a reason is made, and the causes of failed requests. */
export function errorCodes(): string[] {
	const codes = readSources().all.flatMap((node) => {
		if (ts.isPropertyAssignment(node) && node.name.getText() === 'code') {
			return ts.isStringLiteral(node.initializer) ? [node.initializer.text] : [];
		}
		const isCauses = ts.isUnionTypeNode(node) && node.getText().includes("'quota_spent'");
		return isCauses ? node.types.flatMap(literalOf) : [];
	});
	return [...new Set(codes)].sort();
}

function literalOf(node: ts.TypeNode): string[] {
	return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? [node.literal.text] : [];
}

/** All that stands in what is published, with its types. */
function readSources(): { checker: ts.TypeChecker; all: ts.Node[] } {
	const file = ts.readJsonConfigFile(join(root, 'tsconfig.build.json'), (path) =>
		readFileSync(path, 'utf8'),
	);
	const { options, fileNames } = ts.parseJsonSourceFileConfigFileContent(file, ts.sys, root);
	const program = ts.createProgram(fileNames, { ...options, noEmit: true });
	const all = program
		.getSourceFiles()
		.filter(({ fileName }) => sources.some((folder) => fileName.startsWith(folder)))
		// These hints are for programs that build workflows; nobody reads them in the editor.
		.filter(({ fileName }) => !fileName.endsWith('builderHints.ts'))
		.flatMap((source) => nodesIn(source));
	return { checker: program.getTypeChecker(), all };
}
