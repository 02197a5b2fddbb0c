import { countStatuses, outcomesOf } from '../../nodes/EventPlatform/core/registration/runOutcome';
import type { Row } from '../../nodes/EventPlatform/core/people/registration';
import type { ModelOptions } from '../support/platform/platformOptions';
import { logNormal } from '../support/platform/random';
import { rowFor, simulate, someRows } from '../support/runs/simulation';

/**
 * What a run of two thousand people costs on platforms of all kinds, and how many people are unknown after it. Requests cost the user
 * money, so that no figure may rise. The random worlds of `simulation.property.test.ts` show that nobody is told a lie.
 */

interface World {
	on: string;
	requests: number;
	unknown?: number;
	platform?: Partial<ModelOptions>;
	rows?: Row[];
	/** The share of the people who were registered before. */
	present?: number;
}

const people = someRows(2_000);

/** Every fiftieth person, or another such one, is one whom the platform refuses: alone as a result, or with the whole request. */
const withOthers = (every: number, name: 'banned' | 'refuse', count = 2_000): Row[] =>
	someRows(count).map((row, index) =>
		index % every === 7 % every ? rowFor(row.sessionId, `${name}${index}@example.com`) : row,
	);

const withMedium = (rows: Row[]): Row[] =>
	rows.map((row) => {
		const registration = { ...row.registration, tracking: { utm_medium: 'mail' } };
		return { ...row, registration };
	});

const letter: Partial<ModelOptions> = { form: 'letter', refusal: 400 };

const sessions = (name: string): Row[] =>
	Array.from({ length: 30 }, (_, nth) => someRows(20, `${name}${nth}`)).flat();

const seconds = (duration: number) => ({ jobMs: () => duration * 1_000 });
const uneven: Partial<ModelOptions> = { jobMs: (_, draw) => 1_000 * logNormal(draw, 0.8) };

const worlds: World[] = [
	{ on: 'the platform of the specification', requests: 80 },
	{ on: 'results that are empty until the end', requests: 80, platform: { earlyResults: 'empty' } },
	{ on: 'results that are a 404 until the end', requests: 80, platform: { earlyResults: '404' } },
	{ on: 'page parameters that break', requests: 82, platform: { paging: 'broken' } },
	{ on: 'jobs of 10 s', requests: 82, platform: seconds(10) },
	{ on: 'jobs of 10 s, hidden', requests: 88, platform: { ...seconds(10), earlyResults: '404' } },
	{ on: 'uneven jobs', requests: 80, platform: uneven },
	{ on: 'uneven jobs, empty', requests: 80, platform: { ...uneven, earlyResults: 'empty' } },
	{ on: 'one job after the other', requests: 99, platform: { oneByOne: true } },
	{
		on: 'one job after the other, hidden',
		requests: 115,
		platform: { oneByOne: true, earlyResults: '404' },
	},
	{ on: 'jobs of a minute', requests: 86, platform: seconds(60) },
	{
		on: 'jobs of a minute, empty',
		requests: 90,
		platform: { ...seconds(60), earlyResults: 'empty' },
	},
	{
		on: 'jobs of five minutes, empty',
		requests: 108,
		platform: { ...seconds(300), earlyResults: 'empty' },
	},
	{ on: 'jobs that take no time', requests: 80, platform: seconds(0) },
	{ on: '200 people', requests: 8, rows: someRows(200) },
	{ on: '50 people', requests: 2, rows: someRows(50) },
	{ on: 'three people', requests: 2, rows: someRows(3) },
	{ on: '50 people, five of them known', requests: 2, rows: someRows(50), present: 0.1 },
	{ on: '50 people of whom all but one are known', requests: 2, rows: someRows(50), present: 0.98 },
	{ on: 'a tenth known', requests: 80, present: 0.1 },
	{ on: 'a tenth known, in other words', requests: 80, present: 0.1, platform: { words: 'other' } },
	{ on: 'a tenth known, 2 % refused', requests: 80, rows: withOthers(50, 'banned'), present: 0.1 },
	{ on: 'half known, 2 % refused', requests: 80, rows: withOthers(50, 'banned'), present: 0.5 },
	{
		on: 'half of 10,000 known, 2 % refused',
		requests: 400,
		rows: withOthers(50, 'banned', 10_000),
		present: 0.5,
	},
	{
		on: 'a tenth known, 2 % refused, results in any order',
		requests: 120,
		unknown: 22,
		rows: withOthers(50, 'banned'),
		present: 0.1,
		platform: { order: 'shuffled' },
	},
	{ on: '2 % refused', requests: 80, rows: withOthers(50, 'banned') },
	{ on: '4 % refused, two alike in each job', requests: 80, rows: withOthers(25, 'banned') },
	{ on: '1 % refused with their request', requests: 360, rows: withOthers(100, 'refuse') },
	{ on: 'one of 50 refused with the request', requests: 19, rows: withOthers(50, 'refuse', 50) },
	{
		on: 'UTM values that the platform refuses',
		requests: 101,
		rows: withMedium(people),
		platform: letter,
	},
	{
		on: 'UTM values that it refuses, and 1 % refused with their request',
		requests: 358,
		rows: withMedium(withOthers(100, 'refuse')),
		platform: letter,
	},
	{
		on: 'UTM values that it takes, and 1 % refused with their request',
		requests: 358,
		rows: withMedium(withOthers(100, 'refuse')),
		platform: { refusal: 400 },
	},
	{
		on: 'UTM values, and everybody refused with the request',
		requests: 269,
		rows: withMedium(withOthers(1, 'refuse')),
		platform: letter,
	},
	{
		on: 'a field that does not exist, for everybody',
		requests: 40,
		rows: people.map(({ sessionId, email }) => rowFor(sessionId, email, ['unheard_of'])),
	},
	{ on: 'an outage of 90 s', requests: 132, platform: { downMs: [5_000, 95_000] } },
	{ on: 'an outage of 20 s', requests: 112, platform: { downMs: [5_000, 25_000] } },
	{ on: '2 % of all requests that fail', requests: 125, platform: { seed: 2, troubles: 0.02 } },
	{
		on: '2 % of all answers that get lost',
		requests: 125,
		platform: { seed: 2, troubles: 0.02, kinds: ['lost-after'] },
	},
	{ on: 'results that lag five seconds', requests: 80, platform: { lagMs: 5_000 } },
	{ on: 'one ID for two jobs', requests: 80, unknown: 900, platform: { repeatedIds: 0.2 } },
	{
		on: 'records without addresses, 2 % refused',
		requests: 120,
		rows: withOthers(50, 'banned'),
		platform: { emails: 'absent' },
	},
	{ on: 'records without addresses', requests: 80, platform: { emails: 'absent' } },
	{ on: 'a public event', requests: 80, platform: { emails: 'made-up' } },
	{
		on: 'a public event, 2 % refused',
		requests: 80,
		rows: withOthers(50, 'banned'),
		platform: { emails: 'made-up' },
	},
	{ on: 'pages of twenty', requests: 206, platform: { pageSize: 20 } },
	{
		on: 'a first answer that gets lost, 50 people',
		requests: 3,
		rows: someRows(50),
		platform: { script: (nth) => (nth === 1 ? 'lost-after' : undefined) },
	},
	{
		on: 'a second answer that gets lost, 120 people',
		requests: 11,
		rows: someRows(120),
		platform: { script: (nth) => (nth === 2 ? 'lost-after' : undefined) },
	},
	{ on: 'nothing but errors', requests: 11, unknown: 150, platform: { script: () => '500' } },
	{ on: 'nothing at all', requests: 20, platform: { script: () => 'unreachable' } },
	{ on: 'thirty sessions', requests: 60, rows: sessions('s') },
	{ on: 'thirty sessions that are gone', requests: 30, rows: sessions('gone') },
];

test.each(worlds.map((world) => ({ unknown: 0, ...world })))(
	'$on: at most $requests requests, $unknown unknown',
	async ({ requests, unknown, platform, rows = people, present = 0 }) => {
		const before = rows
			.filter((_, index) => (index * 7_919) % 1_000 < present * 1_000)
			.map(({ sessionId, email }) => ({ sessionId, email }));
		const { report } = await simulate(rows, {
			platform,
			before,
			run: { maxWaitSeconds: 3_600 },
		});
		expect(report.requests).toBeLessThanOrEqual(requests);
		expect(countStatuses(outcomesOf(report)).unknown ?? 0).toBeLessThanOrEqual(unknown);
	},
);
