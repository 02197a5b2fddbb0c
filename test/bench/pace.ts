import { limiters } from '../../sandbox/access/rateLimit';
import type { Arrival } from '../support/sharedToken';
import * as sharing from '../support/sharing';
import { counts, mean, means, scenes, type PaceLimit, type Shares } from '../support/sharing';
import { changedCore } from './changedCore';

const worlds = limiters.flatMap((limiter) => [true, false].map((told) => ({ limiter, told })));
type World = (typeof worlds)[number];

/** What the pace would be without one of its mechanisms: a text of its source, and what it becomes. */
const mechanisms: Readonly<Record<string, [text: string, into: string]>> = {
	'no place left unused at an exchange': ['if (isBefore ||', 'if (true ||'],
	'claims at any moment': [
		'claimAt: nextExchange(now) +',
		'claimAt: now + exchangeEveryMs * random() +',
	],
	'no order of claims': [
		'(Math.min(places, 2) + random() / 2) * rankMs',
		'(1 + random()) * rankMs',
	],
	'no exchange left out after refusals': [
		'places === 0 ? 0 : Math.min(refusedClaims, mostSkipped)',
		'0',
	],
	'a first place ends the waiting': ['limit.places > 0 ? 0 : limit.refusedClaims', '0'],
	'every exchange, also with all places': ['% fullEvery === 0', '% 1 === 0'],
	'late answers mean nothing': ['? tookMs - ms : 0', '? 0 : 0'],
	'the first requests are like others': ['use.isFirst ? now :', 'false ? now :'],
	'the same room for every line': ['Math.min(mostRoomMs, 1.5 * limit.roomMs)', 'limit.roomMs'],
};

/** What processes that share a token make of the limit of 5 a second, under a virtual clock. */
export async function run(): Promise<void> {
	console.log(
		'Used % of the limit / refused % of the requests / fairness (Jain), least share of the fair one.',
	);
	console.log(
		'Processes start a second apart and always have work; 60 to 100 ms each way, one journey',
	);
	console.log('in a hundred 150 ms longer; seconds 60 to 240, means of eight seeds.\n');
	printTable(['', ...counts.map(String)], worlds, (world) =>
		counts.map((count) => inWords(sharing.sharesOf(world, count), count)),
	);
	console.log(
		'\nThe same without one mechanism, means over the limiters; uneven: a process alone whose',
	);
	console.log(
		'journeys take 20 to 120 ms each way; opening: the first 30 s of a process alone whose',
	);
	console.log('first five requests open connections, which takes up to 300 ms.\n');
	console.log(
		`| ${['without', ...counts, 'uneven', 'opening'].join(' | ')} |\n|${'---|'.repeat(9)}`,
	);
	for (const [name, change] of [['as it is', undefined] as const, ...Object.entries(mechanisms)]) {
		const limit =
			change && (await changedCore<PaceLimit>(['pace/limit', ...change], ['pace/limit']));
		const each = counts.map((count) => {
			const shares = worlds.map((world) => sharing.sharesOf(world, count, undefined, limit));
			return inWords(means(shares), count);
		});
		const alone = [sharing.onAnUnevenLine, sharing.whenConnectionsOpen].map((measured) =>
			inWords(means(worlds.map((world) => measured(world, limit))), 1),
		);
		console.log(`| ${[name, ...each, ...alone].join(' | ')} |`);
	}
	console.log(
		'\nTogether: processes of one machine that begin within 50 ms of each other, seconds 15 to 45;',
	);
	console.log(
		'used/refused, least share of the fair one. Back: seconds until one of two processes uses',
	);
	console.log(
		'90 %, after the other ended. Stranger: beside 2 requests a second that follow no protocol.',
	);
	console.log(
		'Capped: 12 processes of at most 0.4 requests a second. Light: five processes, each a',
	);
	console.log('request in 10 s: refused %, and those that waited longer than 10 ms.\n');
	const together = [2, 4, 8, 12];
	const head = [
		'',
		...together.map((count) => `together ${count}`),
		'back',
		'stranger',
		'capped',
		'light',
	];
	printTable(head, worlds, (world) => [
		...together.map((count) => {
			const { used, refused, least } = sharing.sharesOfCrowd(world, count);
			return `${used.toFixed(0)}/${refused.toFixed(1)}, ${least.toFixed(2)}`;
		}),
		back(world),
		stranger(world),
		inWords(sharing.sharesOf(world, 12, 0.4), 1),
		light(world),
	]);
}

function printTable(head: string[], rows: World[], cells: (world: World) => string[]): void {
	console.log(`| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`);
	for (const world of rows) {
		const name = `${world.limiter}, ${world.told ? 'told' : 'nothing told'}`;
		console.log(`| ${[name, ...cells(world)].join(' | ')} |`);
	}
}

function inWords(shares: Partial<Shares>, count: number): string {
	const { used = 0, refused = 0, fairness = 1, least = 1 } = shares;
	const shared = count > 1 ? `/${fairness.toFixed(2)}, ${least.toFixed(2)}` : '';
	return `${used.toFixed(0)}/${refused.toFixed(1)}${shared}`;
}

function back(world: World): string {
	const sharers = [{ startsMs: 0 }, { startsMs: 1_000, endsMs: 120_000 }];
	const all = scenes({ ...world, sharers, endsMs: 240_000 });
	return mean(all.map((arrivals) => sharing.secondsUntilFull(arrivals, 120_000))).toFixed(0);
}

function stranger(world: World): string {
	const sharers = [{ startsMs: 0 }, { startsMs: 0, isStranger: true, wantsEveryMs: 500 }];
	const all = scenes({ ...world, sharers, endsMs: 240_000 });
	const late = all.map((arrivals) => arrivals.filter(({ at }) => at >= 60_000));
	const used = mean(late.map((arrivals) => accepted(arrivals).length / (180 * 5)));
	const ours = late.map((arrivals) => arrivals.filter(({ by }) => by === 0));
	return inWords({ used: 100 * used, refused: mean(ours.map(refusedPercent)) }, 1);
}

function light(world: World): string {
	const sharers = Array.from({ length: 5 }, () => ({ startsMs: 0, wantsEveryMs: 10_000 }));
	const all = scenes({ ...world, sharers, endsMs: 600_000 });
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
