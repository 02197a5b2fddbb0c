// `npm test` runs the first five; the others need a browser, databases or a downloaded n8n.
const folders = [
	'unit',
	'contract',
	'sandbox',
	'engine',
	'package',
	'e2e',
	'scale',
	'compatibility',
];

/** @type {import('jest').Config} */
module.exports = {
	projects: folders.map((folder) => ({
		displayName: folder,
		testEnvironment: 'node',
		testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
		transform: {
			'^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
		},
		modulePathIgnorePatterns: ['<rootDir>/dist/'],
	})),
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/**/*.ts'],
	coverageReporters: ['text-summary'],
};
