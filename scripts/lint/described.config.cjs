// n8n's rules for what people see in the editor, over the descriptions that `describe.ts` has written.
const nodesBase = require('eslint-plugin-n8n-nodes-base');
const { parser } = require('typescript-eslint');

const n8n = { languageOptions: { parser }, plugins: { 'n8n-nodes-base': nodesBase } };

/** @type {import('eslint').Linter.Config[]} */
module.exports = [
	{ files: ['reports/described/nodes/**/*.ts'], ...n8n, rules: nodesBase.configs.nodes.rules },
	{
		files: ['reports/described/credentials/**/*.ts'],
		...n8n,
		rules: {
			...nodesBase.configs.credentials.rules,
			// For n8n's own repository, where the documentation is a slug of its site.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
];
