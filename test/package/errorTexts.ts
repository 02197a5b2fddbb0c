import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { root } from './built';
import { nodesIn, textOf } from './texts';

/** Parts of messages that are none by themselves: the name of a session without a title, and what a dry run counts. */
const partsOfMessages = ['The session …', 'would be added', 'would be updated', 'would be removed'];

const sources = ['nodes', 'credentials'].map((folder) => join(root, folder));

/**
 * The first sentence of every error and hint that the nodes and the tests of the credentials can show, and of what
 * the trigger logs about a delivery. TypeScript's own parser finds where a text for people is given, by the names of
 * properties and calls and however they are written, and its types lead on through conditions, constants, calls and
 * parameters. What is only known at run time is an ellipsis. Running the nodes would show fewer than half of the texts.
 */
export function errorTexts(): string[] {
	const { checker, all } = (published ??= readPublished());
	// Until all calls are known, a parameter leads nowhere.
	let calls: Array<[call: ts.CallExpression, functions: ts.Node[]]> = [];
	calls = all.filter(ts.isCallExpression).map((call) => [call, values(call.expression)]);
	const texts = all.flatMap(messagesAt).flatMap((place) => textsOf(values(place)));
	return [...new Set(texts)].filter((text) => !partsOfMessages.includes(text)).sort();

	/** Gives the texts and the functions that an expression may come to. */
	function values(node: ts.Node, seen: ReadonlySet<ts.Node> = new Set()): ts.Node[] {
		if (seen.has(node)) return [];
		const on = (next?: ts.Node) => (next ? values(next, new Set([...seen, node])) : []);
		if (ts.isStringLiteralLike(node) || isFunction(node)) return [node];
		if (ts.isTemplateExpression(node)) {
			if (/[a-z]/i.test(textOf(node))) return [node];
			// A template of nothing but values begins with the first value that is a text of ours.
			const parts = node.templateSpans.map(({ expression }) => on(expression));
			return parts.find((part) => textsOf(part).length > 0) ?? [];
		}
		if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return on(node.expression);
		if (ts.isAwaitExpression(node)) return on(node.expression);
		if (ts.isConditionalExpression(node)) return [...on(node.whenTrue), ...on(node.whenFalse)];
		if (ts.isBinaryExpression(node)) return [...on(node.left), ...on(node.right)];
		if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(on);
		if (ts.isObjectLiteralExpression(node)) {
			return node.properties
				.filter(ts.isPropertyAssignment)
				.flatMap(({ initializer }) => on(initializer));
		}
		if (ts.isSpreadElement(node)) return on(node.expression);
		if (ts.isCallExpression(node)) {
			return [...ofArray(node).flatMap(on), ...on(node.expression).flatMap(returned).flatMap(on)];
		}
		// An entry of a table may be any of them.
		if (ts.isElementAccessExpression(node)) return on(node.expression);
		const declaration = declarationOf(node);
		if (!declaration) return [];
		if (ts.isParameter(declaration)) return argumentsOf(declaration).flatMap(on);
		return on(ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration);
	}

	/** Gives the arguments that a parameter is called with. */
	function argumentsOf(parameter: ts.ParameterDeclaration): ts.Node[] {
		const { parent } = parameter;
		// A function that is given to `map` is called with each element.
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

	/** The expressions of this node that are texts for people. */
	function messagesAt(node: ts.Node): ts.Node[] {
		if (ts.isNewExpression(node)) return messageOfNew(node);
		if (ts.isObjectLiteralExpression(node)) {
			return messageOfObject(node).flatMap((place) =>
				isFunction(place) ? returned(place) : [place],
			);
		}
		if (ts.isCallExpression(node)) return messagesOfCall(node);
		if (ts.isPropertyAssignment(node)) return nameIn(node) === 'hints' ? [node.initializer] : [];
		if (isFunction(node)) return nameIn(node).startsWith('hints') ? returned(node) : [];
		if (ts.isArrayLiteralExpression(node)) {
			const title = node.elements[placeOfTitle(checker.getContextualType(node))];
			return title === undefined ? [] : isFunction(title) ? returned(title) : [title];
		}
		if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
			const isMessage = ts.isPropertyAccessExpression(node.left) && nameIn(node.left) === 'message';
			return isMessage ? [node.right] : [];
		}
		return [];
	}

	/** Gives the place of the title in a tuple whose elements have names. */
	function placeOfTitle(type: ts.Type | undefined): number {
		const { target } = (type ?? {}) as Partial<ts.TupleTypeReference>;
		const names = target?.labeledElementDeclarations?.map((element) => element && nameIn(element));
		return names?.indexOf('title') ?? -1;
	}
}

/** The name that a node has or leads to, however it is written: `a` of `a`, of `x.a`, of `a: 1` and of `function a() {}`. */
function nameIn(node: ts.Node): string {
	if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) return node.text;
	const { name } = node as { name?: ts.Node };
	return name === undefined ? '' : nameIn(name);
}

/** The message that an error is made with. n8n's own errors take the node first. */
function messageOfNew({ expression, arguments: args = [] as never }: ts.NewExpression): ts.Node[] {
	const name = nameIn(expression);
	if (!/(?:Error|Failed|^Invalid\w+)$/.test(name)) return [];
	// The errors of n8n take the node first.
	const place = /^Node(?:Operation|Api)Error$/.test(name) ? 1 : 0;
	return args.slice(place, place + 1);
}

/** The properties that are a text for people wherever they stand. */
const namesOfMessages = ['message', 'errorMessage', 'problem', 'mismatch', 'denied', 'unclear'];
/** The decisions about a delivery whose reason is written into the log. */
const loggedKinds = ['ignore', 'retryLater', 'forged', 'unreadable'];

/** The text for people in `{ message }` and its like, in `{ title, advice }`, and in why a delivery starts nothing. */
function messageOfObject(node: ts.ObjectLiteralExpression): ts.Node[] {
	const property = (name: string) =>
		node.properties.find((candidate) => nameIn(candidate) === name);
	const textOfProperty = (name: string) => {
		const member = property(name);
		return member !== undefined && ts.isPropertyAssignment(member)
			? nameIn(member.initializer)
			: '';
	};
	if (textOfProperty('status') === 'OK') return [];
	const hasAdvice = property('description') !== undefined || property('advice') !== undefined;
	const place =
		namesOfMessages.map(property).find((message) => message !== undefined) ??
		(hasAdvice ? property('title') : undefined) ??
		(loggedKinds.includes(textOfProperty('kind')) ? property('reason') : undefined);
	if (place === undefined) return [];
	if (ts.isShorthandPropertyAssignment(place)) return [place.name];
	return ts.isPropertyAssignment(place) ? [place.initializer] : [];
}

/** The first sentences of what is a text; names of parameters and such are none. */
function textsOf(values: ts.Node[]): string[] {
	return values
		.map(textOf)
		.filter((text) => /[a-z]/i.test(text) && text.includes(' '))
		.map((text) => (text.trim().split(/(?<=\.) /)[0] ?? '').replace(/[.,]$/, ''))
		.filter((text) => /[a-z]/i.test(text));
}

/** Gives the messages that a call pushes to a list of problems or hints, or shows as a hint. */
function messagesOfCall({ expression, arguments: args }: ts.CallExpression): ts.Node[] {
	if (nameIn(expression) === 'hint') return [...args];
	if (!ts.isPropertyAccessExpression(expression)) return [];
	const { expression: list } = expression;
	switch (nameIn(expression)) {
		case 'push':
			return ['problems', 'hints'].includes(nameIn(list)) ? [...args] : [];
		case 'forEach':
			return args[0] !== undefined && nameIn(args[0]) === 'hint' ? [list] : [];
		default:
			return [];
	}
}

/** Gives the result of an array's method: the text that a joined array begins with, or what becomes of its elements. */
function ofArray({ expression, arguments: [argument] }: ts.CallExpression): ts.Node[] {
	if (!ts.isPropertyAccessExpression(expression)) return [];
	const { name, expression: list } = expression;
	switch (name.text) {
		case 'join':
			return ts.isArrayLiteralExpression(list) ? list.elements.slice(0, 1) : [list];
		case 'map':
		case 'flatMap':
			if (argument === undefined) return [];
			return isFunction(argument) ? returned(argument) : [argument];
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
	return nodesIn(node.body, ts.isFunctionLike).flatMap((statement) =>
		ts.isReturnStatement(statement) ? (statement.expression ?? []) : [],
	);
}

/** The codes of reasons: those that are written where a reason is made, and the causes of failed requests. */
export function errorCodes(): string[] {
	const codes = (published ??= readPublished()).all.flatMap((node) => {
		if (ts.isPropertyAssignment(node) && nameIn(node) === 'code') {
			return ts.isStringLiteral(node.initializer) ? [node.initializer.text] : [];
		}
		const isCauses = ts.isTypeAliasDeclaration(node) && nameIn(node) === 'Cause';
		return isCauses && ts.isUnionTypeNode(node.type) ? node.type.types.flatMap(literalOf) : [];
	});
	return [...new Set(codes)].sort();
}

function literalOf(node: ts.TypeNode): string[] {
	return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? [node.literal.text] : [];
}

/** Reads the published sources with their types. */
interface Published {
	checker: ts.TypeChecker;
	all: ts.Node[];
}

/** Read once, because that takes seconds. */
let published: Published | undefined;

function readPublished(): Published {
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
