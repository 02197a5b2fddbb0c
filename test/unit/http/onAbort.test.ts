import { onAbort } from '../../../nodes/EventPlatform/core/http/onAbort';

test('all who wait are woken, except those who left', () => {
	const run = new AbortController();
	const woken: string[] = [];
	onAbort(run.signal, () => woken.push('first'));
	const leave = onAbort(run.signal, () => woken.push('left'));
	onAbort(run.signal, () => woken.push('last'));
	leave();
	run.abort();
	expect(woken).toEqual(['first', 'last']);
});

test('one function may wait twice, and leave once', () => {
	const run = new AbortController();
	const wake = jest.fn();
	onAbort(run.signal, wake);
	onAbort(run.signal, wake)();
	run.abort();
	expect(wake).toHaveBeenCalledTimes(1);
});

test('where nothing can be cancelled nobody is woken', () => {
	expect(() => onAbort(undefined, () => {})()).not.toThrow();
});
