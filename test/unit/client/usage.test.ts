import { describeCost, describeWaits } from '../../../nodes/EventPlatform/core/client/usage';

test('a run is told with its requests and its time', () => {
	expect(describeCost({ requests: 1, seconds: 41.2 })).toBe('1 request, 41 s');
	expect(describeCost({ requests: 1_234, seconds: 2 }, ' and ')).toBe('1,234 requests and 2 s');
});

test.each([
	[{}, undefined],
	[{ waits: 1 }, 'once'],
	[{ waits: 1_020 }, '1,020 times'],
])('the waits of %j', (usage, words) => {
	const sentence = words && `The platform asked to wait ${words} (429).`;
	expect(describeWaits(usage)).toBe(sentence);
});
