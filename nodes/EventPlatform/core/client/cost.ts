import type { Usage } from './request';

export type RequestCount = Pick<Usage, 'requests' | 'refused'>;

/** "202 requests, 3 refused (429), 41 s" */
export function costInWords(
	{ requests, refused = 0 }: RequestCount,
	seconds: number,
	between = ', ',
): string {
	const sent = `${thousands(requests)} ${requests === 1 ? 'request' : 'requests'}`;
	const turnedAway = refused === 0 ? [] : [`${thousands(refused)} refused (429)`];
	return [sent, ...turnedAway, `${thousands(Math.round(seconds))} s`].join(between);
}

export function thousands(count: number): string {
	return count.toLocaleString('en-US');
}
