import { Cancelled, type Clock } from '../nodes/EventPlatform/core/client/clock';

export const clock: Clock = {
	now: () => Date.now(),
	sleep: (ms, signal) =>
		new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(new Cancelled());
			const cancel = () => {
				clearTimeout(timer);
				reject(new Cancelled());
			};
			const timer = setTimeout(() => {
				signal?.removeEventListener('abort', cancel);
				resolve();
			}, ms);
			signal?.addEventListener('abort', cancel, { once: true });
		}),
};
