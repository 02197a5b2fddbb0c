import { limiters, type Limiter } from '../../sandbox/access/rateLimit';
import type { Arrival } from '../support/sharedToken';
import {
	counts,
	mean,
	scenes,
	secondsUntilFull,
	sharesOf,
	sharesOfCrowd,
} from '../support/sharing';

const told = [true, false];

/** What processes that share a token make of the limit of 5 a second, under a virtual clock. */
export function run(): Promise<void> {
	console.log(
		'Used % of the limit / refused % of the requests / fairness (Jain), least share of the fair one',
	);
	console.log(
		'Processes start a second apart and always have work; 60 to 100 ms each way, one journey',
	);
	console.log('in a hundred 150 ms longer; seconds 60 to 240, means of twenty-four seeds.\n');
	printTable(['limiter, headers', ...counts.map(String)], (limiter, isTold) =>
		counts.map((count) => {
			const { used, refused, fairness, least } = sharesOf(limiter, isTold, count);
			const shared = count > 1 ? `/${fairness.toFixed(2)}, ${least.toFixed(2)}` : '';
			return `${used.toFixed(0)}/${refused.toFixed(1)}${shared}`;
		}),
	);
	console.log(
		'\nProcesses of one machine that begin within 50 ms of each other: used/refused, least share of',
	);
	console.log(
		'the fair one, % of 48 draws in which it is below a half; 5 to 30 ms each way, one journey in',
	);
	console.log(
		'a hundred 150 ms longer; seconds 15 to 45. Last: with clocks up to 3 s wrong, seconds 75 to 105.\n',
	);
	printTable(['limiter, headers', '2', '4', '8', '12', '4, clocks wrong'], (limiter, isTold) => [
		...[2, 4, 8, 12].map((count) => crowd({ limiter, told: isTold, count, from: 15_000 })),
		crowd({ limiter, told: isTold, count: 4, clocksMs: 3_000, from: 75_000 }),
	]);
	console.log('\nBack: seconds until one of two processes uses 90 %, after the other ended.');
	console.log(
		'Stranger: one process beside 2 requests a second that follow no protocol: used/refused %.',
	);
	console.log(
		'Capped: 12 processes of at most 0.4 requests a second. Light: five processes, each a',
	);
	console.log('request in 10 s: refused %, and those that waited longer than 10 ms.\n');
	printTable(['limiter, headers', 'back', 'stranger', 'capped', 'light'], (limiter, isTold) => [
		back(limiter, isTold),
		stranger(limiter, isTold),
		capped(limiter, isTold),
		light(limiter, isTold),
	]);
	return Promise.resolve();
}

function printTable(head: string[], row: (limiter: Limiter, isTold: boolean) => string[]): void {
	console.log(`| ${head.join(' | ')} |`);
	console.log(`|${'---|'.repeat(head.length)}`);
	for (const limiter of limiters) {
		for (const isTold of told) {
			const name = `${limiter}, ${isTold ? 'told' : 'nothing told'}`;
			console.log(`| ${[name, ...row(limiter, isTold)].join(' | ')} |`);
		}
	}
}

function crowd(parts: Parameters<typeof sharesOfCrowd>[0]): string {
	const { used, refused, least, poor } = sharesOfCrowd(parts);
	return `${used.toFixed(0)}/${refused.toFixed(1)}, ${least.toFixed(2)}, ${poor.toFixed(0)} %`;
}

function back(limiter: Limiter, isTold: boolean): string {
	const sharers = [{ startsMs: 0 }, { startsMs: 1_000, endsMs: 120_000 }];
	const all = scenes({ limiter, told: isTold, sharers, endsMs: 240_000 });
	return mean(all.map((arrivals) => secondsUntilFull(arrivals, 120_000))).toFixed(0);
}

function stranger(limiter: Limiter, isTold: boolean): string {
	const sharers = [{ startsMs: 0 }, { startsMs: 0, isStranger: true, wantsEveryMs: 500 }];
	const all = scenes({ limiter, told: isTold, sharers, endsMs: 240_000 });
	const late = all.map((arrivals) => arrivals.filter(({ at }) => at >= 60_000));
	const used = mean(late.map((arrivals) => accepted(arrivals).length / (180 * 5)));
	const ours = late.map((arrivals) => arrivals.filter(({ by }) => by === 0));
	return `${(100 * used).toFixed(0)}/${mean(ours.map(refusedPercent)).toFixed(1)}`;
}

function capped(limiter: Limiter, isTold: boolean): string {
	const { used, refused } = sharesOf(limiter, isTold, 12, 0.4);
	return `${used.toFixed(0)}/${refused.toFixed(1)}`;
}

function light(limiter: Limiter, isTold: boolean): string {
	const sharers = Array.from({ length: 5 }, () => ({ startsMs: 0, wantsEveryMs: 10_000 }));
	const all = scenes({ limiter, told: isTold, sharers, endsMs: 600_000 });
	const waited = all.map((arrivals) =>
		arrivals.filter(({ sentAt, wantedAt }) => sentAt - wantedAt > 10),
	);
	const share = mean(waited.map((some, index) => some.length / (all[index]?.length ?? 1)));
	return `${mean(all.map(refusedPercent)).toFixed(1)}, ${(100 * share).toFixed(1)} %`;
}

function accepted(arrivals: readonly Arrival[]): Arrival[] {
	return arrivals.filter(({ isAccepted }) => isAccepted);
}

function refusedPercent(arrivals: readonly Arrival[]): number {
	return 100 * (1 - accepted(arrivals).length / arrivals.length);
}
