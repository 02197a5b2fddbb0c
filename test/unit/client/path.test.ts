import fc from 'fast-check';
import {
	isSameId,
	normalizeId,
	InvalidSegment,
	pathTo,
	queryString,
} from '../../../nodes/EventPlatform/core/client/path';

test.each([
	['a/b?c=d#e', 'a%2Fb%3Fc%3Dd%23e'],
	[' %2e%2e ', '%252e%252e'],
	['...', '...'],
	['x..', 'x..'],
	['x'.repeat(256), 'x'.repeat(256)],
])('the id %j is the segment %s', (id, segment) => {
	expect(pathTo`/sessions/${id}/people`).toBe(`/sessions/${segment}/people`);
});

test.each([
	['  ', 'The ID is empty or not a text.'],
	[undefined, 'The ID is empty'],
	[{}, 'The ID is empty'],
	[7, 'The ID is empty or not a text.'],
	['.', '"." cannot be an ID'],
	[' .. ', '" .. " cannot be an ID.'],
	['\ud800', 'An ID contains an invalid character.'],
	['x'.repeat(257), 'A text of 257 characters cannot be an ID.'],
])('%j is refused as an id, with a reason', (id, reason) => {
	expect(() => pathTo`/sessions/${id}`).toThrow(reason);
	expect(() => pathTo`/sessions/${id}`).toThrow(InvalidSegment);
});

test('no text climbs out of its place in the path', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (id) => {
			let path: string;
			try {
				path = pathTo`/sessions/${id}/people`;
			} catch (error) {
				expect(error).toBeInstanceOf(InvalidSegment);
				return;
			}
			const { pathname, search, hash } = new URL(`https://platform.example/v1${path}`);
			expect(pathname).toBe(`/v1${path}`);
			expect(search + hash).toBe('');
			expect(decodeURIComponent(pathname.split('/')[3] ?? '')).toBe(id.trim());
		}),
	);
});

test('only of UUIDs it is known that letter case does not matter', () => {
	const uuid = '5E550000-ABCD-4000-8000-00000000000A';
	expect(normalizeId(uuid)).toBe(uuid.toLowerCase());
	for (const id of ['ABC', `${uuid}0`, `0${uuid}`, uuid.replace('ABCD', 'ABCX'), uuid.slice(1)]) {
		expect(normalizeId(id)).toBe(id);
		expect(isSameId(id, id.toLowerCase())).toBe(id === id.toLowerCase());
	}
	expect(isSameId(uuid, uuid.toLowerCase())).toBe(true);
});

test('what is asked is encoded, names and values', () => {
	expect(queryString({ 'filter[a]': 'x&y=z#', n: 1, b: true })).toBe(
		'?filter%5Ba%5D=x%26y%3Dz%23&n=1&b=true',
	);
	expect(queryString({})).toBe('');
	expect(queryString()).toBe('');
	expect(() => queryString({ 'filter[a]': 'x\ud800' })).toThrow("The value of 'filter[a]'");
});
