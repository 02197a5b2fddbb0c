import { Cancelled } from '../nodes/EventPlatform/core/client/failure';
import type { Clock } from '../nodes/EventPlatform/core/client/request';

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
