/** The time and the memory that a piece of work takes. */
export interface Cost {
	seconds: number;
	cpuSeconds: number;
	/** The most memory held at once. */
	peakMb: number;
}

interface Priced<Result> {
	result: Result;
	cost: Cost;
}

/** Measures what a piece of work costs this process, beyond what it had taken before. */
export async function costOf<Result>(work: () => Promise<Result>): Promise<Priced<Result>> {
	globalThis.gc?.();
	const before = process.memoryUsage.rss();
	let peak = before;
	const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
	const cpu = process.cpuUsage();
	const began = performance.now();
	const result = await work();
	const seconds = (performance.now() - began) / 1_000;
	const { user, system } = process.cpuUsage(cpu);
	clearInterval(watch);
	const peakMb = (Math.max(peak, process.memoryUsage.rss()) - before) / 1e6;
	return { result, cost: { seconds, cpuSeconds: (user + system) / 1e6, peakMb } };
}
