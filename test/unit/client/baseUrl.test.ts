import { apiRoot, InvalidBaseUrl } from '../../../nodes/EventPlatform/core/client/baseUrl';

test.each([
	['https://api.livestorm.co', 'https://api.livestorm.co/v1'],
	['https://api.livestorm.co/v1', 'https://api.livestorm.co/v1'],
	[' https://api.livestorm.co/v1// ', 'https://api.livestorm.co/v1'],
	['http://[::1]:4010/', 'http://[::1]:4010/v1'],
	['https://gateway.example/v1?key=1#top', 'https://gateway.example/v1'],
	['https://gateway.example/v1/eu', 'https://gateway.example/v1/eu/v1'],
])('%j is understood as %s', (entered, root) => expect(apiRoot(entered)).toBe(root));

test.each([
	['   ', "no 'Base URL'"],
	[7, "no 'Base URL'"],
	['api.livestorm.co', 'not a URL'],
	['ftp://api.livestorm.co', 'not with ftp://'],
	['https://user@api.livestorm.co', 'user name or password'],
	['https://:hunter2@api.livestorm.co', 'user name or password'],
])('%j is refused with a reason', (entered, reason) => {
	expect(() => apiRoot(entered)).toThrow(InvalidBaseUrl);
	expect(() => apiRoot(entered)).toThrow(reason);
	expect(() => apiRoot(entered)).not.toThrow('hunter2');
});
