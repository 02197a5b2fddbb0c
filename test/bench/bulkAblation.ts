import type { Row } from '../../nodes/EventPlatform/core/people/registration';
import type { Mechanism } from '../../nodes/EventPlatform/core/bulk/mechanism';
import { countStatuses } from '../../nodes/EventPlatform/core/bulk/report';
import { logNormal } from '../support/platform/random';
import { rowFor, someRows, simulate, type Circumstances } from '../support/runs/simulation';

const seeds = [1, 2, 3];

interface Kind extends Circumstances {
	people: Row[];
}

const uneven = (medianMs: number, sigma: number) => (_: number, draw: () => number) =>
	medianMs * logNormal(draw, sigma);

/** Some are refused, and every nth of the others is registered before. */
function mostlyKnown(count: number, nth: number): Pick<Kind, 'people' | 'before'> {
	const everyone = someRows(count);
	return {
		people: everyone.map((person, index) =>
			index % 60 === 7 ? rowFor('session', `banned${index}@example.com`) : person,
		),
		before: everyone
			.filter((_, index) => index % nth === 1)
			.map(({ sessionId, email = '' }) => ({ sessionId, email })),
	};
}

const badField = (person: Row, index: number) =>
	index % 100 === 7 ? rowFor('session', `odd${index}@example.com`, ['unheard_of']) : person;

const kinds: Record<string, Kind> = {
	uneven: { people: someRows(5_000), platform: { jobMs: uneven(2_000, 1.5) } },
	'one by one, 10 s': {
		people: someRows(1_000),
		platform: { oneByOne: true, jobMs: () => 10_000 },
	},
	'1 min a job': { people: someRows(5_000), platform: { jobMs: () => 60_000 } },
	'5 min a job': {
		people: someRows(20_000),
		platform: { jobMs: () => 300_000 },
		run: { maxWaitSeconds: 9_000 },
	},
	'200 people': {
		people: someRows(200),
		platform: { jobMs: uneven(3_000, 0.5), earlyResults: '404' },
	},
	'down 90 s': { people: someRows(5_000), platform: { downMs: [10_000, 100_000] } },
	'every 10th known': mostlyKnown(5_000, 10),
	'half known, shuffled': { ...mostlyKnown(1_000, 2), platform: { order: 'shuffled' } },
	'bad field in 1 %': { people: someRows(1_000).map(badField) },
};

/** The name that the table gives to each mechanism that is taken away. */
const mechanisms: Readonly<Record<Mechanism, string>> = {
	manyOpenJobs: 'open jobs: 40',
	firstReadRamp: 'no ramp of first reads',
	firstReadHold: 'no hold of first reads',
	learnedDuration: 'duration: never learned',
	predictedEnd: 'next read: doubling pauses',
	concurrencyAfterFailures: 'same concurrency after failures',
	pauseAfterFailures: 'no pause after failures',
	orderProof: 'order proves nothing',
	askingWhoIsThere: 'nobody is asked about',
	quotedSuspects: 'halves, whatever is quoted',
};

/** Prints how much each mechanism of the engine is worth, as a table in markdown. */
export async function benchAblation(): Promise<void> {
	console.log(`Requests per 50 people / seconds, and how many people stay unknown (?), under a`);
	console.log(`virtual clock: means of ${seeds.length} seeds. A dot: as with all mechanisms.\n`);
	row(['', ...Object.keys(kinds)]);
	row(['---', ...Object.keys(kinds).map(() => '---:')]);
	const asItIs: string[] = [];
	for (const kind of Object.values(kinds)) asItIs.push(await cost(kind));
	row(['as it is', ...asItIs]);
	for (const [without, name] of Object.entries(mechanisms) as Array<[Mechanism, string]>) {
		const cells: string[] = [];
		for (const kind of Object.values(kinds)) {
			cells.push(await cost({ ...kind, run: { ...kind.run, without } }));
		}
		row([name, ...cells.map((cell, at) => (cell === asItIs[at] ? '·' : cell))]);
	}
}

async function cost({ people, ...kind }: Kind): Promise<string> {
	let requests = 0;
	let durationMs = 0;
	let unknown = 0;
	for (const seed of seeds) {
		const platform = { ...kind.platform, seed };
		const { report, ...run } = await simulate(people, { ...kind, platform });
		requests += report.requests;
		durationMs += run.durationMs;
		unknown += countStatuses(report.outcomes).unknown ?? 0;
	}
	const per50 = requests / seeds.length / Math.ceil(people.length / 50);
	const seconds = durationMs / 1_000 / seeds.length;
	const lost = unknown === 0 ? '' : ` ?${Math.round(unknown / seeds.length)}`;
	return `${per50.toFixed(2)} / ${seconds.toFixed(0)}${lost}`;
}

function row(cells: string[]): void {
	console.log(`| ${cells.join(' | ')} |`);
}
