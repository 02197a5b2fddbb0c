import { mediaType } from '../../../nodes/EventPlatform/core/dialect/recordings';

test.each([
	['video/mp4', 'video/mp4'],
	[' video/mp4 ', 'video/mp4'],
	['mp4', undefined],
	['', undefined],
])('a media type that is sent as %p is %p', (sent, type) => {
	expect(mediaType(sent)).toBe(type);
});
