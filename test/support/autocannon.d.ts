/** What the tests and the benchmarks use of autocannon, which brings no types. */
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
		overallRate?: number;
		duration?: number;
		/** So many requests, in place of a duration. */
		amount?: number;
		requests: Array<{ setupRequest(request: Request): Request }>;
	}
	export interface Result {
		duration: number;
		errors: number;
		non2xx: number;
		statusCodeStats: Record<string, { count: number } | undefined>;
		latency: { p50: number; p99: number; max: number; average: number };
		requests: { total: number };
	}
	export default function autocannon(options: Options): Promise<Result>;
}
