/** What the benchmarks use of autocannon, which brings no types. */
declare module 'autocannon' {
	interface Request {
		method?: string;
		path?: string;
		headers?: Record<string, string>;
		body?: string;
	}
	interface Options {
		url: string;
		connections: number;
		overallRate: number;
		duration: number;
		requests: Array<{ setupRequest(request: Request): Request }>;
	}
	interface Result {
		duration: number;
		errors: number;
		non2xx: number;
		latency: { p50: number; p99: number; max: number; average: number };
		requests: { total: number };
	}
	function autocannon(options: Options): Promise<Result>;
	export = autocannon;
}
