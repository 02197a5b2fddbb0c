const { availableParallelism } = require('node:os');
const { withoutSecrets } = require('./scripts/environment');

// Tests run packages and programs of others: none of them gets what gives access to anything.
for (const name of Object.keys(process.env)) {
	if (!(name in withoutSecrets(process.env))) delete process.env[name];
}

// What a folder is for, and which command runs it, stands in docs/internals/developing.md.
const inN8n = ['e2e', 'scale', 'compatibility'];
const inJest = [
	'unit',
	'contract',
	'sandbox',
	'engine',
	'specification',
	'package',
	'long',
	'certify',
];
const folders = [...inJest, ...inN8n];

/** Run with few draws among the unit tests, and with many among the long ones. */
const simulations = '<rootDir>/test/unit/**/simulation*.test.ts';

/** These run nodes in n8n-core, which is loaded once for many of their files. */
const withEngine = {
	testEnvironment: '<rootDir>/test/support/jest/sharedRealm.cjs',
	setupFiles: ['<rootDir>/test/support/jest/loadOnce.ts'],
};

/** `npm test` shows with the nodes that it has just built what the specification says; else their source is taken. */
const builtNodes = {
	'^(?:\\.\\./)+((?:nodes/EventPlatform|credentials)/.*)$': '<rootDir>/dist/$1',
};

/** @type {import('jest').Config} */
module.exports = {
	projects: folders.map((folder) => ({
		id: folder,
		displayName: folder,
		testEnvironment: 'node',
		// Else Jest guards the global objects after each file, and in the shared realm these are the worker's own. A worker
		// keeps the mode of its first file, so all projects have the same.
		testEnvironmentOptions: { globalsCleanup: 'off' },
		...(['contract', 'sandbox', 'engine', 'specification', 'package'].includes(folder) &&
			withEngine),
		testMatch: [
			`<rootDir>/test/${folder}/**/*.test.ts`,
			...(folder === 'long' ? [simulations] : []),
		],
		restoreMocks: true,
		transform: {
			'^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
		},
		// What is drawn at random is drawn from a seed.
		moduleNameMapper: {
			'^fast-check$': '<rootDir>/test/support/jest/seededFastCheck.cjs',
			...(folder === 'specification' && process.env.NODES === 'built' && builtNodes),
		},
		modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/reports/'],
		...(folder === 'long' && { setupFiles: ['<rootDir>/test/support/jest/manyWorlds.cjs'] }),
		...(inN8n.includes(folder) && {
			globalSetup: '<rootDir>/test/support/n8n/downloads.ts',
			setupFilesAfterEnv: [
				'<rootDir>/test/support/jest/leftovers.ts',
				...(folder === 'e2e' ? ['<rootDir>/test/support/jest/secondTry.ts'] : []),
			],
		}),
	})),
	// The tests wait for servers for a third of their time.
	maxWorkers: Math.ceil(availableParallelism() * 1.5),
	// On GitHub a failed test is marked at its line.
	reporters: ['default', ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : [])],
	// For what never ends. A busy machine takes its time, and no test is about that.
	testTimeout: 300_000,
	// A worker needs a moment to end, which a busy machine gives it late. Jest would kill it after half a second, and speak of leaks.
	workerGracefulExitTimeout: 30_000,
};
