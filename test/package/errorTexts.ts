import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

const root = join(__dirname, '../..');
const sources = ['nodes', 'credentials'].map((folder) => join(root, folder));

/**
 * The first sentence of every error that the nodes and the tests of the credentials can show, and of what
 * the trigger logs about a delivery. Read from the sources: what stands where a message is given, followed
 * through conditions, constants, calls and parameters. What is only known at run time is an ellipsis.
 */
export function errorTexts(): string[] {
	const file = ts.readJsonConfigFile(join(root, 'tsconfig.build.json'), (path) =>
		readFileSync(path, 'utf8'),
	);
	const { options, fileNames } = ts.parseJsonSourceFileConfigFileContent(file, ts.sys, root);
	const program = ts.createProgram(fileNames, { ...options, noEmit: true });
	const checker = program.getTypeChecker();
	const files = program
		.getSourceFiles()
		.filter(({ fileName }) => sources.some((folder) => fileName.startsWith(folder)));
	const all: ts.Node[] = [];
	const visit = (node: ts.Node): void => {
		all.push(node);
		ts.forEachChild(node, visit);
	};
	files.forEach(visit);

	const called = all
		.filter(ts.isCallExpression)
		.map((call) => [call, functionsOf(call.expression)] as const);
	const texts = new Set<string>();
	for (const node of all) {
		for (const place of messagesAt(node)) {
			for (const text of read(place, new Set())) {
				if (isSentence(text)) texts.add(firstSentence(text));
			}
		}
	}
	return [...texts].sort();

	function read(node: ts.Expression, seen: Set<ts.Node>): string[] {
		if (seen.has(node)) return [];
		seen.add(node);
		const on = (next: ts.Expression) => read(next, seen);
		if (ts.isStringLiteralLike(node)) return [node.text];
		if (ts.isTemplateExpression(node)) return readTemplate(node, on);
		if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return on(node.expression);
		if (ts.isAwaitExpression(node)) return on(node.expression);
		if (ts.isConditionalExpression(node)) return [...on(node.whenTrue), ...on(node.whenFalse)];
		if (ts.isBinaryExpression(node)) return [...on(node.left), ...on(node.right)];
		if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(on);
		if (ts.isIdentifier(node)) return readName(node, on);
		if (ts.isCallExpression(node))
			return functionsOf(node.expression).flatMap(returned).flatMap(on);
		return [];
	}

	/** The functions that an expression may be: one with a name, those of a table, or what another one gives. */
	function functionsOf(node: ts.Node, depth = 0): ts.FunctionLikeDeclaration[] {
		if (isFunction(node)) return [node];
		const on = (next: ts.Node) => functionsOf(next, depth + 1);
		// A function may give itself.
		if (depth === 4) return [];
		if (ts.isCallExpression(node)) return on(node.expression).flatMap(returned).flatMap(on);
		if (ts.isElementAccessExpression(node)) {
			const table = valueOf(declarationOf(node.expression));
			if (!table || !ts.isObjectLiteralExpression(table)) return [];
			const properties = table.properties.filter(ts.isPropertyAssignment);
			return properties.flatMap(({ initializer }) =>
				isFunction(initializer) ? [initializer] : [],
			);
		}
		const declaration = declarationOf(node);
		const value = valueOf(declaration) ?? declaration;
		return value ? on(value) : [];
	}

	/** A template of nothing but values says what the first of them says that is a text of ours. */
	function readTemplate(node: ts.TemplateExpression, on: (next: ts.Expression) => string[]) {
		const literals = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
		if (literals.every((text) => !/[a-z]/i.test(text))) {
			const values = node.templateSpans.map(({ expression }) => on(expression));
			return values.find((texts) => texts.some(isSentence)) ?? [];
		}
		return [literals.join('…').replace(/…+/g, '…')];
	}

	function readName(node: ts.Identifier, on: (next: ts.Expression) => string[]): string[] {
		const declaration = declarationOf(node);
		const value = valueOf(declaration);
		if (value) return on(value);
		if (!declaration || !ts.isParameter(declaration)) return [];
		const { parent } = declaration;
		// What is given to `map` is called with each element.
		const mapped = parent.parent;
		if (ts.isCallExpression(mapped) && ts.isPropertyAccessExpression(mapped.expression)) {
			return on(mapped.expression.expression);
		}
		const place = parent.parameters.indexOf(declaration);
		return called
			.filter(([, functions]) => functions.some((one) => one === parent))
			.flatMap(([{ arguments: given }]) => (given[place] ? on(given[place]) : []));
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
	function messagesAt(node: ts.Node): ts.Expression[] {
		if (ts.isNewExpression(node)) {
			const name = node.expression.getText();
			if (!/(?:Error|Failed|^Invalid\w+)$/.test(name)) return [];
			const message = node.arguments?.[/^Node(?:Operation|Api)Error$/.test(name) ? 1 : 0];
			return message ? [message] : [];
		}
		if (ts.isObjectLiteralExpression(node)) return messageOf(node);
		if (ts.isCallExpression(node)) {
			return /\bproblems\.push$/.test(node.expression.getText()) ? [...node.arguments] : [];
		}
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

/** Of `{ title, description }`, `{ message, … }`, `{ problem }`, `{ doubt }`, and why a delivery starts nothing. */
function messageOf(node: ts.ObjectLiteralExpression): ts.Expression[] {
	const property = (name: string) => node.properties.find((one) => one.name?.getText() === name);
	const told =
		property('message') ??
		property('errorMessage') ??
		property('problem') ??
		property('doubt') ??
		property('denied') ??
		property('unclear') ??
		(property('description') && property('title')) ??
		(/^records: \[\]$/.test(property('records')?.getText() ?? '') && property('reason'));
	const status = property('status');
	const isGood =
		status && ts.isPropertyAssignment(status) && /OK/.test(status.initializer.getText());
	if (!told || isGood) return [];
	if (ts.isShorthandPropertyAssignment(told)) return [told.name];
	return ts.isPropertyAssignment(told) ? [told.initializer] : [];
}

/** Names of parameters and such are no texts. */
function isSentence(text: string): boolean {
	return /[a-z]/i.test(text) && text.includes(' ');
}

function firstSentence(text: string): string {
	const [first = ''] = text.trim().split(/(?<=\.) /);
	return first.replace(/\.$/, '');
}

function valueOf(declaration: ts.Declaration | undefined): ts.Expression | undefined {
	return declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
	return ts.isFunctionLike(node) && 'body' in node;
}

function returned({ body }: ts.FunctionLikeDeclaration): ts.Expression[] {
	if (!body) return [];
	if (!ts.isBlock(body)) return [body];
	const found: ts.Expression[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
		else if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
	};
	ts.forEachChild(body, visit);
	return found;
}
