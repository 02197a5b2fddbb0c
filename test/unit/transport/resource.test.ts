import fc from 'fast-check';
import { InvalidSegment, resource } from '../../../nodes/EventPlatform/transport/resource';

test('an id is encoded, whatever it contains', () => {
	expect(resource`/sessions/${'a/b?c=d#e'}/people`).toBe('/sessions/a%2Fb%3Fc%3Dd%23e/people');
	expect(resource`/sessions/${'%2e%2e'}/people/${7}`).toBe('/sessions/%252e%252e/people/7');
	expect(resource`/events`).toBe('/events');
});

test.each([[''], ['  '], ['.'], ['..'], [' .. '], [undefined], [null], [{}], ['\ud800']])(
	'%p is no id',
	(id) => {
		expect(() => resource`/sessions/${id}`).toThrow(InvalidSegment);
	},
);

test('no text climbs out of its place in the path', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (id) => {
			let path: string;
			try {
				path = resource`/sessions/${id}/people`;
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
