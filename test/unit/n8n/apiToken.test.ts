import { readApiToken } from '../../../nodes/EventPlatform/n8n/apiToken';

test.each([
	['abc', 'abc'],
	['Bearer abc', 'abc'],
	[' bearer  abc', 'abc'],
	['Authorization: Bearer abc', 'abc'],
	['authorization : BEARER abc', 'abc'],
	['Bearerabc', 'Bearerabc'],
	['Bearer ', 'Bearer '],
	['abc Bearer def', 'abc Bearer def'],
	[undefined, ''],
	[{ token: 'abc' }, ''],
])('the token in %j is %j', (pasted, token) => {
	expect(readApiToken(pasted)).toBe(token);
});
