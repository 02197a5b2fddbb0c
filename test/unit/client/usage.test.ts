import { describeUsage } from '../../../nodes/EventPlatform/core/client/usage';

test('what was refused is told with the cost', () => {
	expect(describeUsage({ requests: 1, refused: 3 }, 41.2)).toBe('1 request, 3 refused (429), 41 s');
});
