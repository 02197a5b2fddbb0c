// `npm test` runs the first five; the others need a browser, databases or a downloaded n8n.
const inN8n = ['e2e', 'scale', 'compatibility'];
const folders = ['unit', 'contract', 'sandbox', 'engine', 'package', ...inN8n];

/** @type {import('jest').Config} */
module.exports = {
	projects: folders.map((folder) => ({
		id: folder,
		displayName: folder,
		testEnvironment: 'node',
		testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
		transform: {
			'^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
		},
		modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/reports/'],
		...(inN8n.includes(folder) && {
			globalSetup: '<rootDir>/test/support/downloads.ts',
			setupFilesAfterEnv: ['<rootDir>/test/support/leftovers.ts'],
		}),
	})),
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/**/*.ts'],
	coverageReporters: ['text-summary'],
};
