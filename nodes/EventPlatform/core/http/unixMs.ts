/** Of a time in seconds, milliseconds, microseconds or nanoseconds, which are three digits apart in our century. */
export function unixMs(time: number): number {
	if (time < 1e11) return time * 1_000;
	if (time < 1e14) return time;
	return time < 1e17 ? time / 1e3 : time / 1e6;
}
