import { operations, readDocument } from '../support/readDocument';

const document = readDocument();
const all = operations(document).filter(({ path }) => path.startsWith('/v1/'));

// Section 5.3, and jobs and attributes, to which it gives no scope: they serve registration.
const families: Array<[RegExp, string[]]> = [
	[/^\/v1\/ping$/, []],
	[/^\/v1\/me$/, ['identity']],
	[/^\/v1\/organization$/, ['identity', 'admin']],
	[/^\/v1\/(events|sessions|people|people_attributes|jobs)(\/|$)/, ['events']],
	[/^\/v1\/users(\/|$)/, ['admin']],
	[/^\/v1\/webhooks(\/|$)/, ['webhooks']],
];

test.each(all.map(({ method, path, ...rest }) => [method, path, rest['x-scopes']] as const))(
	'%s %s is open to the scopes of section 5.3',
	(method, path, scopes) => {
		const family = families.find(([pattern]) => pattern.test(path))?.[1];
		const write = family?.length ? [...family.map((name) => `${name}:write`), 'full:write'] : [];
		const read = family?.length ? [...family.map((name) => `${name}:read`), 'full:read'] : [];
		expect([...scopes].sort()).toEqual([...write, ...(method === 'GET' ? read : [])].sort());
	},
);

test('the ten scopes are those of section 5.3', () => {
	const areas = ['full', 'identity', 'events', 'admin', 'webhooks'];
	expect(
		Object.keys(document.components.securitySchemes.oauth2.flows.authorizationCode.scopes).sort(),
	).toEqual(areas.flatMap((area) => [`${area}:read`, `${area}:write`]).sort());
});

test('only the authorization asks for no token, and nothing for one kind of token alone', () => {
	const special = operations(document).filter(({ security }) => security);
	expect(special.map(({ operationId, security }) => [operationId, security])).toEqual([
		['authorize', []],
		['decideConsent', []],
		['issueToken', []],
	]);
});
