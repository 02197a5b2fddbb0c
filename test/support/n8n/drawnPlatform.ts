import { createDraws } from '../../../sandbox/world/draws';
import type { VirtualAnswer } from './virtualPolling';

/** A platform in memory on which things happen by the draws of a seed, with a clock of its own and requests that fail. */
export abstract class DrawnPlatform {
	/** The share of the requests that fail. */
	faults = 0;
	requests = 0;
	protected clockAheadMs = 0;
	private readonly draws: () => number;

	constructor(seed: number) {
		this.draws = createDraws(seed);
	}

	/** By the platform's clock, in seconds. */
	get now(): number {
		return Math.floor((Date.now() + this.clockAheadMs) / 1_000);
	}

	draw(): number {
		return this.draws();
	}

	chance(share: number): boolean {
		return this.draws() < share;
	}

	pick<Choice>(choices: readonly Choice[]): Choice {
		return choices[Math.floor(this.draws() * choices.length)] as Choice;
	}

	count(least: number, most: number): number {
		return least + Math.floor(this.draws() * (most - least + 1));
	}

	/** Answers as the platform does, or fails as it does in this world. */
	readonly answer = (path: string, query: URLSearchParams): VirtualAnswer | undefined => {
		this.requests++;
		if (this.chance(this.faults)) return this.pick([undefined, this.response(500, {})]);
		return this.read(path, query);
	};

	protected abstract read(path: string, query: URLSearchParams): VirtualAnswer;

	protected response(
		status: number,
		body: unknown,
		more: Record<string, string> = {},
	): VirtualAnswer {
		const date = new Date(this.now * 1_000).toUTCString();
		const headers = { date, 'ratelimit-interval-limit': '500', ...more };
		return { status, headers, body: structuredClone(body) };
	}
}
