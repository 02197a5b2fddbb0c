import type { Platform } from '../platform';
import { notFound } from '../refusal';

/** With `firstDelete: 404` what is to go is not found when it is asked for first, and stays. */
export function createFirstDelete({ options, onReset }: Platform): (url: string) => void {
	const asked = new Set<string>();
	onReset(() => asked.clear());
	return (url) => {
		if (options.firstDelete !== '404' || asked.has(url)) return;
		asked.add(url);
		throw notFound('record yet', url.slice(0, 80));
	};
}
