/** `require` of Node, which keeps what it has loaded: sharedRealm.cjs puts it there. */
declare const requireFromNode: (name: string) => unknown;
/** What the worker keeps for its next files: sharedRealm.cjs puts it there. */
declare const kept: { sandbox?: unknown };

/**
 * n8n and the sandbox's server take two seconds to load, and come with what they share with the tests. None keeps
 * anything that another test would see.
 */
const packages = [
	'reflect-metadata',
	'@n8n/di',
	'@n8n/backend-common',
	'n8n-workflow',
	'n8n-core',
	'axios',
	'fastify',
	'js-yaml',
	'ajv',
	'ajv/dist/2020',
	'ajv-formats',
	'@node-oauth/oauth2-server',
];
const sandbox = '../../../sandbox/server';

for (const name of packages) jest.doMock(name, () => requireFromNode(name));
// A sandbox keeps its world in itself. Its contract is compiled piece by piece, and here once for all files.
jest.doMock(sandbox, () => (kept.sandbox ??= jest.requireActual(sandbox)));
