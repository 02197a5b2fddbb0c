import type { Delivery } from '../../../nodes/EventPlatform/core/deliveries/delivery';
import { Patience } from '../../../nodes/EventPlatform/core/deliveries/goneRecords';

const minute = 60_000;
/** When the platform tries, in minutes: at once, then 0.5, 1, 2.5, 6 and 12 later each. */
const attempts = [0, 0.5, 1.5, 4, 10, 22];

function denied(kind: string, id = 'x'): Delivery {
	return { kind, record: { type: 'x', id, attributes: {}, relationships: {} } };
}

test('a person who is gone is refused at first, but not at the last attempts', () => {
	const patience = new Patience(10);
	const over = attempts.map((at) => patience.isOver(denied('people.registered'), at * minute));
	expect(over).toEqual([false, false, false, false, true, true]);
});

test('a job is refused for ever', () => {
	const patience = new Patience(10);
	const over = attempts.map((at) => patience.isOver(denied('job.ended'), at * minute));
	expect(over).not.toContain(true);
});

test('a flood of unknown ids pushes out the oldest and takes no more room', () => {
	const patience = new Patience(2);
	['a', 'b', 'c'].forEach((id) => patience.isOver(denied('event.created', id), 0));
	expect(patience.isOver(denied('event.created', 'a'), 15 * minute)).toBe(false);
	expect(patience.isOver(denied('event.created', 'c'), 15 * minute)).toBe(true);
});
