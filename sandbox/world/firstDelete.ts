import type { Platform } from '../platform';
import { notFound } from '../refusal';

/** Makes the check for `firstDelete: 404`. A record is not found at the first request to delete it, and stays. */
export function createFirstDelete({ options, onReset }: Platform): (url: string) => void {
	const asked = new Set<string>();
	onReset(() => asked.clear());
	return (url) => {
		if (options.firstDelete !== '404' || asked.has(url)) return;
		asked.add(url);
		throw notFound('record yet', url.slice(0, 80));
	};
}
