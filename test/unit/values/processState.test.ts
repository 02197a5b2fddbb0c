import { ProcessMap } from '../../../nodes/EventPlatform/core/values/processState';
import { dayMs } from '../../support/time/units';

/** Writes into a map at a time. */
function setAt<Value>(map: ProcessMap<Value>, key: string, value: Value, nowMs: number): void {
	jest.spyOn(Date, 'now').mockReturnValue(nowMs);
	map.set(key, value);
}

test('the thousand jobs that were written last are kept', () => {
	const jobs = new ProcessMap<number>('peopleOfJobs');
	for (let n = 0; n < 1_000; n++) jobs.set(`job-${n}`, n);
	expect(jobs.get('job-0')).toBe(0);
	jobs.set('job-0', 0);
	jobs.set('job-1000', 1_000);
	expect(['job-0', 'job-1', 'job-2'].map((key) => jobs.has(key))).toEqual([true, false, true]);
});

test('queues in use are kept, however many there are', () => {
	const queues = new ProcessMap<number>('requestQueues');
	for (let n = 0; n < 2_000; n++) setAt(queues, `token-${n}`, n, n);
	expect(queues.get('token-0')).toBe(0);
});

test('the memory of a trigger goes 40 days after its last delivery, and of more than a thousand triggers', () => {
	const histories = new ProcessMap<number>('deliveryHistories');
	setAt(histories, 'a', 0, 0);
	setAt(histories, 'b', 0, 40 * dayMs);
	expect(histories.has('a')).toBe(true);
	setAt(histories, 'b', 0, 40 * dayMs + 1);
	expect(histories.has('a')).toBe(false);
	for (let n = 0; n < 1_000; n++) setAt(histories, `trigger-${n}`, n, 40 * dayMs + 2);
	expect([histories.has('b'), histories.has('trigger-0')]).toEqual([false, true]);
});

test('what is deleted is gone', () => {
	const polls = new ProcessMap<true>('pollsUnderWay');
	polls.set('a', true);
	polls.delete('a');
	expect(polls.has('a')).toBe(false);
});
