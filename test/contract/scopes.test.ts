import { readContract } from '../../sandbox/contract';

const all = readContract().filter(({ path }) => path.startsWith('/v1/'));

// Section 5.3, and jobs and attributes, to which it gives no scope: they serve registration.
const families: Array<[RegExp, string[]]> = [
	[/^\/v1\/ping$/, []],
	[/^\/v1\/me$/, ['identity']],
	[/^\/v1\/organization$/, ['identity', 'admin']],
	[/^\/v1\/(events|sessions|people|people_attributes|jobs)(\/|$)/, ['events']],
	[/^\/v1\/users(\/|$)/, ['admin']],
	[/^\/v1\/webhooks(\/|$)/, ['webhooks']],
];

test('every operation is open to the scopes of section 5.3', () => {
	for (const { method, path, document: operation } of all) {
		const family = families.find(([pattern]) => pattern.test(path))?.[1];
		const write = family?.length ? [...family.map((name) => `${name}:write`), 'full:write'] : [];
		const read = family?.length ? [...family.map((name) => `${name}:read`), 'full:read'] : [];
		const open = [...write, ...(method === 'GET' ? read : [])].sort();
		const scopes = operation['x-scopes'] as string[];
		expect([method, path, scopes.toSorted()]).toEqual([method, path, open]);
	}
});
