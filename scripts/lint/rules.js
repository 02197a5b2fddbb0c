// Rules of this repository that no plugin has.

const literal = ':matches(ObjectExpression, ArrayExpression)';
const typed = ':matches(TSAsExpression, TSSatisfiesExpression)';

/**
 * A literal that is spread into a literal or into a call hides its members. What is spread on a condition stays: nothing
 * better exists for an optional member than `...(link && { link })`, or `...(link ? [link] : [])` in a list.
 */
const literalSpreads = [
	`SpreadElement > ${literal}`,
	`SpreadElement > ${typed} > ${literal}`,
	'SpreadElement > ConditionalExpression[consequent.properties.length>0][alternate.properties.length>0]',
	'SpreadElement > ConditionalExpression[consequent.elements.length>0][alternate.elements.length>0]',
	'SpreadElement > CallExpression[callee.property.name="fromEntries"] > ArrayExpression',
].map((selector) => ({
	selector,
	message: 'Write the members themselves, each on a line of its own.',
}));

/** Values whose type their own text says. */
const plainValues =
	'Literal, TemplateLiteral, ObjectExpression, ArrayExpression, NewExpression, ArrowFunctionExpression, FunctionExpression, UnaryExpression, BinaryExpression, TSAsExpression, TSSatisfiesExpression';

/** A reader of one file should know what it gives to the others, without reading those that it calls. */
const untypedExports = [
	{
		selector: `ExportNamedDeclaration > VariableDeclaration > VariableDeclarator:not([id.typeAnnotation]) > .init:not(${plainValues})`,
		message: 'Say the type of what is exported: only the function that makes it knows it.',
	},
	{
		selector:
			'ExportNamedDeclaration TSTupleType:not(:matches(BlockStatement, CallExpression) TSTupleType)',
		message: 'Export an interface: the places of a tuple have no names.',
	},
];

/**
 * A list that is spread into a call becomes as many arguments, and V8 gives up at about 65,000 with "Maximum call stack
 * size exceeded". Lists of the platform and of a workflow can be longer, and no rule can see how long a list will be.
 */
const spreadArguments = [
	{
		selector: ':matches(CallExpression, NewExpression) > SpreadElement',
		message: 'Pass the list itself: a long one is more arguments than a call can have.',
	},
];

module.exports = { literalSpreads, untypedExports, spreadArguments };
