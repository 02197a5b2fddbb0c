import {
	besideStranger,
	capped,
	busyProcesses,
	light,
	secondsUntilFull,
	sharesOf,
	together,
	worlds,
	type Shares,
	type World,
} from '../support/queue/sharedLimit';

/** Prints how processes that share a token use the limit of 5 a second, under a virtual clock. */
export function run(): void {
	const counts = [1, 2, 3, 5, 8, 12];
	const crowds = counts.map(busyProcesses);
	console.log('Used % of the limit / 429 % of the requests / fairness (Jain), least share.\n');
	printTable(['', ...counts], (world) =>
		crowds.map((situation) => inWords(sharesOf(world, situation))),
	);

	console.log('\nOther situations; docs/internals/benchmarks.md says what each is.\n');
	const beginners = [2, 4, 8, 12];
	const head = beginners.map((count) => `together ${count}`);
	printTable(['', ...head, 'back', 'stranger', 'capped', 'light'], (world) => {
		const { rateLimited, waited } = sharesOf(world, light);
		return [
			...beginners.map((count) => {
				const shares = sharesOf(world, together(count));
				return `${usedAndRateLimited(shares)}, ${shares.least.toFixed(2)}`;
			}),
			secondsUntilFull(world).toFixed(0),
			usedAndRateLimited(sharesOf(world, besideStranger)),
			usedAndRateLimited(sharesOf(world, capped)),
			`${rateLimited.toFixed(1)}, ${waited.toFixed(1)} %`,
		];
	});
}

function printHead(head: Array<string | number>): void {
	console.log(`| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`);
}

function printTable(head: Array<string | number>, cells: (world: World) => string[]): void {
	printHead(head);
	// It makes no difference to these figures whether the platform tells of its limit. The tests try both.
	for (const world of worlds.filter(({ hasHeaders }) => hasHeaders)) {
		console.log(`| ${[world.limiter, ...cells(world)].join(' | ')} |`);
	}
}

function usedAndRateLimited({ used, rateLimited }: Shares): string {
	return `${used.toFixed(0)}/${rateLimited.toFixed(1)}`;
}

/** One that is alone has nobody to share with. */
function inWords(shares: Shares): string {
	const { fairness, least } = shares;
	const shared = least === 1 ? '' : `/${fairness.toFixed(2)}, ${least.toFixed(2)}`;
	return usedAndRateLimited(shares) + shared;
}
