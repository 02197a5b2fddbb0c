import { LastAttempts } from '../../../nodes/EventPlatform/core/deliveries/lastAttempts';

const minute = 60_000;
/** When the platform tries, in minutes: at once, then 0.5, 1, 2.5, 6 and 12 later each. */
const attempts = [0, 0.5, 1.5, 4, 10, 22];

test('what is refused again and again is told at the last two attempts of the platform', () => {
	const last = new LastAttempts(10);
	expect(attempts.map((at) => last.isOne('key', at * minute))).toEqual([
		false,
		false,
		false,
		false,
		true,
		true,
	]);
});

test('a flood of unknown keys pushes out the oldest and takes no more room', () => {
	const last = new LastAttempts(2);
	['a', 'b', 'c'].forEach((key) => last.isOne(key, 0));
	expect(last.isOne('a', 15 * minute)).toBe(false);
	expect(last.isOne('c', 15 * minute)).toBe(true);
});
