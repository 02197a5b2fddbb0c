import type { SeenResponse } from '../seen';
import type { Asker } from '../ask';
import { get } from './reading';

/** So many requests leave at once at the beginning of a round: one more than the limit allows. */
export const burstRequests = 6;
/** So many leave at once when a request is answered again, to see how many places are free. */
export const requestsAfterBurst = 3;
const stepMs = 150;
const mostSteps = 8;
const roundMs = 2_500;

/**
 * Too many requests on purpose: six at once, then one at a time until one is answered, then three at once. The second round
 * begins in another half of the second: what counts by the clock gives itself away.
 */
export async function askLimits(asker: Asker): Promise<void> {
	const { clock, signal } = asker.parts;
	for (const round of [1, 2]) {
		await clock.sleep(roundMs, signal);
		const phaseMs = round === 1 ? 250 : 750;
		await clock.sleep((1_000 + phaseMs - (clock.now() % 1_000)) % 1_000, signal);
		const ping = (name: string) =>
			asker.askUnpaced(`${name} of round ${round}`, {
				...get('/ping'),
				operation: 'ping',
				isOdd: true,
			});
		const many = (name: string, count: number) =>
			Promise.all(Array.from({ length: count }, (_, at) => ping(`${name} ${at}`)));
		await many('burst', burstRequests);
		for (let step = 0; step < mostSteps; step++) {
			await clock.sleep(stepMs, signal);
			const exchange = await ping(`step ${step}`);
			if ('status' in exchange && exchange.status !== 429) break;
		}
		await many('after', requestsAfterBurst);
	}
}

/** The behaviour of the platform in one round. */
export interface Round {
	/** The responses that refuse a request for its pace. */
	refused: SeenResponse[];
	/** How many requests of the first burst were taken. */
	taken: number;
	/** How many requests of the last burst were taken. */
	takenAfter: number;
	/** Milliseconds from the burst to the first request that is answered again; undefined: none was. */
	againMs?: number;
}

/** Gives the results of one round, by the names above. */
export function roundOf(seen: Asker['seen'], round: number): Round {
	const all = (name: string, count: number) =>
		Array.from({ length: count }, (_, at) => seen.get(`${name} ${at} of round ${round}`)).flatMap(
			(exchange) => (exchange && 'status' in exchange ? [exchange] : []),
		);
	const isTaken = ({ status }: { status: number }) => status < 300;
	const first = all('burst', burstRequests);
	const begun = Math.min(...first.map(({ at }) => at));
	const again = all('step', mostSteps).find(isTaken);
	return {
		refused: [...first, ...all('step', mostSteps), ...all('after', requestsAfterBurst)].filter(
			({ status }) => status === 429,
		),
		taken: first.filter(isTaken).length,
		takenAfter: all('after', requestsAfterBurst).filter(isTaken).length,
		againMs: again ? again.at - begun : undefined,
	};
}
