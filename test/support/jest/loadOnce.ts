/** Node's own `require`, which keeps what it has loaded. sharedRealm.cjs puts it into the realm of the tests. */
declare const requireFromNode: (name: string) => unknown;
/** The worker keeps this for its next files. sharedRealm.cjs puts it into the realm of the tests. */
declare const kept: { sandbox?: unknown };

/** The packages of n8n and of the sandbox take two seconds to load. None keeps anything that another test would see. */
const packages = [
	'reflect-metadata',
	'@n8n/di',
	'@n8n/config',
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
// Each sandbox keeps its world in itself. They share the contract, which is compiled once and not for each file.
jest.doMock(sandbox, () => (kept.sandbox ??= jest.requireActual(sandbox)));
