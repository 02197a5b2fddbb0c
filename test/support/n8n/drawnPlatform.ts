import { createDraws } from '../../../sandbox/world/draws';
import { pageOf } from '../platform/fakePlatform';
import { daySeconds, minuteMs } from '../time/units';
import type { VirtualAnswer, VirtualTime } from './virtualPolling';

/** A world lasts days, so that there are fifty times fewer than in the other simulations. */
const count = Math.ceil(Number(process.env.SIMULATION_RUNS ?? 1_000) / 50);

/** The seeds of the worlds that a test is held in. */
export const seedsOfWorlds = Array.from(
	{ length: count },
	(_, nth) => Number(process.env.TEST_SEED ?? 1) + nth,
);

/** Says by the value of a filter whether a list shows a record. */
type Filters<Entry> = Record<string, (entry: Entry, value: string) => boolean>;

/** The requests of the smallest plan. */
export const requestsOfMonth = 10_000;

/** A platform in memory on which things happen by the draws of a seed, with a clock of its own and requests that fail. */
export abstract class DrawnPlatform {
	/** The share of the requests that fail. */
	faults = 0;
	requests = 0;
	/** Of the month. */
	requestsLeft = requestsOfMonth;
	/** When the month begins anew, by the platform's clock, in seconds. */
	monthReturnsAt: number;
	private clockAheadMs: number;
	private readonly draws: () => number;
	protected readonly filters: 'known' | 'ignored' | 'refused';
	readonly emptyLists: 'shown' | 'refused';

	constructor(
		seed: number,
		protected readonly time: VirtualTime,
	) {
		this.draws = createDraws(seed);
		// The connector draws as well, such as how long it waits.
		jest.spyOn(Math, 'random').mockImplementation(this.draws);
		this.clockAheadMs = this.pick([0, 0, -20, 20]) * minuteMs;
		this.monthReturnsAt = this.now + 30 * daySeconds;
		this.filters = this.pick(['known', 'known', 'known', 'ignored', 'refused']);
		this.emptyLists = this.pick(['shown', 'shown', 'refused']);
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

	/** Sets our clock, and not the platform's. */
	setOurClock(ms: number): void {
		this.time.pass(ms);
		this.clockAheadMs -= ms;
	}

	/** Answers as the platform does, or fails as it does in this world. */
	readonly answer = (path: string, query: URLSearchParams): VirtualAnswer | undefined => {
		if (this.now >= this.monthReturnsAt) {
			this.monthReturnsAt += 30 * daySeconds;
			this.requestsLeft = requestsOfMonth;
		}
		this.requests++;
		if (this.requestsLeft === 0) return this.response(429, {});
		this.requestsLeft--;
		if (!this.chance(this.faults)) return this.read(path, query);
		return this.pick([undefined, this.response(500, {}), this.response(403, {})]);
	};

	protected abstract read(path: string, query: URLSearchParams): VirtualAnswer;

	/** A page of a list, as far as this platform knows filters and lists without records. */
	protected list<Entry extends object>(
		all: readonly Entry[],
		query: URLSearchParams,
		filters: Filters<Entry> = {},
	): VirtualAnswer {
		const asked = Object.entries(filters).flatMap(([name, fits]) => {
			const value = query.get(`filter[${name}]`);
			return value === null ? [] : (entry: Entry) => fits(entry, value);
		});
		if (this.filters === 'refused' && asked.length > 0)
			return this.response(400, { errors: [{ title: 'Unknown parameter: filter' }] });
		const isShown = (entry: Entry) =>
			this.filters === 'ignored' || asked.every((fits) => fits(entry));
		const shown = all.filter(isShown);
		if (shown.length > 0 || this.emptyLists === 'shown')
			return this.response(200, pageOf(shown, query));
		return this.response(400, { errors: [{ title: 'Page number is out of range' }] });
	}

	protected response(status: number, body: object): VirtualAnswer {
		const headers = {
			date: new Date(this.now * 1_000).toUTCString(),
			'ratelimit-interval-limit': '500',
			'ratelimit-monthly-limit': String(requestsOfMonth),
			'ratelimit-monthly-remaining': String(this.requestsLeft),
			'ratelimit-reset': String(this.monthReturnsAt),
		};
		return { status, headers, body: structuredClone(body) };
	}
}
