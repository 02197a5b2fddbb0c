/** `require` of Node, which keeps what it has loaded: sharedRealm.cjs puts it there. */
declare const requireFromNode: (name: string) => unknown;

/** n8n, which takes two seconds to load, and what it shares with the tests. None keeps anything that another test would see. */
const packages = [
	'reflect-metadata',
	'@n8n/di',
	'@n8n/backend-common',
	'n8n-workflow',
	'n8n-core',
	'axios',
];

for (const name of packages) jest.doMock(name, () => requireFromNode(name));
