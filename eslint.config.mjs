import js from '@eslint/js';
import communityNodes from '@n8n/eslint-plugin-community-nodes';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { literalSpreads, spreadArguments, untypedExports } from './scripts/lint/rules.js';

const typescript = '{nodes,credentials,sandbox,certify,host,scripts,test}/**/*.ts';
const javascript = '**/*.{js,cjs,mjs}';
const published = ['nodes/**/*.ts', 'credentials/**/*.ts'];

/** All but the tests, where a table of cases may be long, and a helper says its type by what it makes. */
const product = '{nodes,credentials,sandbox,certify,host,scripts}/**/*.ts';

/** Served to browsers as they are. */
const pages = ['sandbox/page/public/*.js', 'test/e2e/contrasts.js'];

/**
 * The only files that may call n8n's HTTP helpers: the one for the platform, so that pace, retry and redaction
 * hold for every request, and the one for files, which knows no credential.
 */
const egress = ['nodes/EventPlatform/n8n/send.ts', 'nodes/EventPlatform/n8n/download.ts'];

/**
 * Knows no n8n: the same code runs in n8n, in the simulation and under random faults. Its folders, and the groups in one of them: an import that
 * goes up further than this is deep leaves the core.
 */
const core = ['nodes/EventPlatform/core/*/*.ts', 'nodes/EventPlatform/core/*/*/*.ts'];

// n8n's own lint passes over everything in devDependencies; these would be missing at run time.
const absentAtRunTime = ['axios', 'n8n-core', 'fastify', 'ical.js'].map((name) => ({
	name,
	message: 'The published package has no runtime dependency: this is missing at run time.',
}));

const requests = {
	selector:
		'MemberExpression[property.name=/^(httpRequest|requestWithAuthentication|requestOAuth)/], MemberExpression[object.property.name="helpers"][property.name="request"], CallExpression[callee.name="fetch"]',
	message: 'Only n8n/send.ts and n8n/download.ts send requests: go through connect().',
};

/** Forbidden syntax, from all files to few. Each place lies within the place above it, so what is forbidden there is forbidden here. */
const restrictions = [
	{ where: { files: [typescript, javascript] }, syntax: literalSpreads },
	{ where: { files: [product] }, syntax: untypedExports },
	{ where: { files: published }, syntax: spreadArguments },
	// Only the egress may send requests.
	{ where: { files: published, ignores: egress }, syntax: [requests] },
];

/** ESLint replaces the options of a rule and does not add to them, so each folder gets the whole list. */
const restrictedSyntax = restrictions.map(({ where }, index) => {
	const inForce = restrictions.slice(0, index + 1).flatMap(({ syntax }) => syntax);
	return { ...where, rules: { 'no-restricted-syntax': ['error', ...inForce] } };
});

/** n8n's rules for code. Its rules for what people read see the built descriptions: scripts/lint/descriptions.ts. */
function rulesOfN8n(config, names) {
	const rules = Object.entries(nodesBase.configs[config].rules);
	return Object.fromEntries(rules.filter(([name]) => names.test(name)));
}

const names = (text) => Object.fromEntries(text.split(' ').map((name) => [name, 'readonly']));
const nodeGlobals = names(
	'process console URL setTimeout clearTimeout setInterval clearInterval fetch Buffer structuredClone __dirname',
);
const browserGlobals = names(
	'document window location navigator fetch console setTimeout clearTimeout setInterval clearInterval URL URLSearchParams confirm getSelection getComputedStyle',
);

export default tseslint.config(
	{ ignores: ['dist/', 'coverage/', 'reports/', 'host/**/node_modules/'] },
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
	{
		files: [typescript],
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-non-null-assertion': 'error',
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			// A template literal of a number is as clear as it gets.
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			// Fastify and jest hand functions over without their object on purpose.
			'@typescript-eslint/unbound-method': 'off',
			eqeqeq: ['error', 'always'],
			'no-console': 'error',
			'no-duplicate-imports': 'error',
			'@typescript-eslint/consistent-type-definitions': 'error',
		},
	},
	{
		files: [product],
		rules: {
			// A reader of one file should know what it gives to the others.
			'@typescript-eslint/explicit-module-boundary-types': 'error',
		},
	},
	{
		// A function fits on a screen.
		files: [product, 'scripts/**/*.{js,cjs,mjs}'],
		rules: { 'max-lines-per-function': ['error', { max: 60, IIFEs: true }] },
	},
	...restrictedSyntax,
	{
		// What `readonly Row[]` says of the functions in a row, the rule does not see.
		files: ['certify/rows/*.ts'],
		rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
	},
	{
		files: [javascript],
		extends: [js.configs.recommended],
		rules: { eqeqeq: ['error', 'always'] },
	},
	{ files: ['**/*.js'], ignores: pages, languageOptions: { sourceType: 'commonjs' } },
	{ files: [javascript], ignores: pages, languageOptions: { globals: nodeGlobals } },
	{ files: pages, languageOptions: { globals: browserGlobals } },
	{
		// Texts come from anybody: a long one must not keep n8n or the sandbox busy for seconds.
		files: ['{nodes,credentials,sandbox}/**/*.ts'],
		extends: [regexp.configs['flat/recommended']],
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	{
		// Programs for a terminal: printing is what they do.
		files: [
			'sandbox/main.ts',
			'certify/{main,terminal}.ts',
			'scripts/**/*.ts',
			'test/bench/**/*.ts',
		],
		rules: { 'no-console': 'off' },
	},
	{
		files: published,
		extends: [communityNodes.configs.recommended],
		rules: {
			'no-restricted-imports': ['error', { paths: absentAtRunTime }],
		},
	},
	...core.map((files, index) => ({
		files: [files],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					paths: absentAtRunTime,
					patterns: [
						{
							regex: `^(n8n-|(\\.\\./){${index + 2}})`,
							message: 'The core knows no n8n and nothing outside its folder.',
						},
					],
				},
			],
		},
	})),
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: rulesOfN8n('nodes', /node-execute-|-convention$/),
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: rulesOfN8n('credentials', /-assertion$|-convention$/),
	},
	{
		files: ['package.json'],
		extends: [communityNodes.configs.recommended],
		plugins: { 'n8n-nodes-base': nodesBase },
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
		rules: nodesBase.configs.community.rules,
	},
);
