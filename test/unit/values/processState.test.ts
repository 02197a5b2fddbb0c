import { ProcessMap } from '../../../nodes/EventPlatform/core/values/processState';

const dayMs = 86_400_000;

test('the thousand jobs that were written last are kept', () => {
	const jobs = new ProcessMap<number>('peopleOfJobs');
	for (let n = 0; n < 1_000; n++) jobs.set(`job-${n}`, n);
	expect(jobs.get('job-0')).toBe(0);
	jobs.set('job-0', 0);
	jobs.set('job-1000', 1_000);
	expect(['job-0', 'job-1', 'job-2'].map((key) => jobs.has(key))).toEqual([true, false, true]);
});

test('a queue is kept for a day after its last use, and goes when another one is used later', () => {
	const queues = new ProcessMap<string>('requestQueues');
	queues.set('a', 'first', 0);
	queues.set('b', 'second', dayMs);
	expect(queues.get('a')).toBe('first');
	queues.set('b', 'second', dayMs + 1);
	expect([queues.has('a'), queues.has('b')]).toEqual([false, true]);
});

test('queues in use are kept, however many there are', () => {
	const queues = new ProcessMap<number>('requestQueues');
	for (let n = 0; n < 2_000; n++) queues.set(`token-${n}`, n, n);
	expect(queues.get('token-0')).toBe(0);
});

test('the memory of a trigger goes 40 days after its last delivery, and of more than a thousand triggers', () => {
	const histories = new ProcessMap<number>('deliveryHistories');
	histories.set('a', 0, 0);
	histories.set('b', 0, 40 * dayMs);
	expect(histories.has('a')).toBe(true);
	histories.set('b', 0, 40 * dayMs + 1);
	expect(histories.has('a')).toBe(false);
	for (let n = 0; n < 1_000; n++) histories.set(`trigger-${n}`, n, 40 * dayMs + 2);
	expect([histories.has('b'), histories.has('trigger-0')]).toEqual([false, true]);
});

test('what is deleted is gone', () => {
	const polls = new ProcessMap<true>('pollsUnderWay');
	polls.set('a', true);
	polls.delete('a');
	expect(polls.has('a')).toBe(false);
});
