import { reasonOfDoubt } from '../../../nodes/EventPlatform/core/sync/law';

const first = 'Row 3 is invalid.';

test('a person who is kept is told the one reason that there is', () => {
	expect(reasonOfDoubt(first, 0).message).toBe(
		"Not removed. Row 3 is invalid. Nobody is removed from this session until that is cleared up, or 'Remove Despite Problems' is on.",
	);
});

test('a person who is kept is told how many more reasons there are', () => {
	expect(reasonOfDoubt(first, 1_200).message).toContain(
		'Row 3 is invalid. And 1,200 more like this. Nobody',
	);
});
