import type { Child } from '../../host/child';
import type { SavedCredential } from '../../host/editor';
import type { LoggedRequest } from '../../sandbox/access/requestLog';
import { startQueueN8n, type QueueN8n } from './queue';
import {
	addresses,
	endedExecutions,
	platformFor,
	publishedAt,
	registeredAt,
	startExecution,
	type Batch,
} from './queueWorkflows';
import type { TestSandbox } from '../support/platform/sandbox';
import { bulkRegister } from '../support/n8n/workflows';

jest.setTimeout(10 * 60_000);

/** How many requests per second the platform allows a token. */
const rate = 5;
/** All workers begin at once; until then they find out about each other. */
const settlingMs = 15_000;

/**
 * How much longer all of it may take than the limit needs, because a worker that got less than its part goes on alone. Of 300 pairs
 * in virtual time none took 1.75 times as long. The part that the slowest of one pair gets says little: of two that begin at
 * different moments of a second, one may find no room until the other ends. Hundreds of pairs that begin together are
 * measured in test/long/paceSharing.test.ts.
 */
const lastsAtMost = 1.8;

/**
 * Enough people for a minute after the settling, also where the first ends early because it was ready before the others. The
 * bounds of the means in test/long/paceSharing.test.ts, and three to five points because this is one draw of workers that begin
 * together on a busy machine.
 */
const crowds = [
	{ workers: 2, peopleEach: 5_000, refusedAtMost: 0.09, usedAtLeast: 0.85 },
	{ workers: 4, peopleEach: 3_200, refusedAtMost: 0.17, usedAtLeast: 0.825 },
	{ workers: 8, peopleEach: 2_400, refusedAtMost: 0.31, usedAtLeast: 0.81 },
];
type Crowd = (typeof crowds)[number];
const isEach = process.env.SHARING === 'all';
/** All six take a quarter of an hour: two of them each time, and all with `SHARING=all`. */
const chosen = (['sliding', 'fixed'] as const).flatMap((limiter) =>
	crowds
		.map((crowd) => ({ ...crowd, limiter }))
		.filter(({ workers: count }) => isEach || count === (limiter === 'fixed' ? 4 : 2)),
);

let n8n: QueueN8n;
const workers: Child[] = [];

beforeAll(async () => {
	n8n = await startQueueN8n();
});

afterAll(() => n8n?.close());

test.each(chosen)(
	'$workers workers on one token behind a $limiter window: everyone is registered, the limit is used and seldom hit, and nobody waits for long',
	async ({ limiter, ...crowd }) => {
		// One execution at a time: executions that run at the same time are in different workers.
		while (workers.length < crowd.workers) workers.push(await n8n.startWorker(1));
		const shared = await measure(crowd, limiter);
		expect(shared.seconds).toBeGreaterThan(20);
		expect(shared.refused).toBeLessThanOrEqual(crowd.refusedAtMost);
		expect(shared.used).toBeGreaterThanOrEqual(crowd.usedAtLeast);
		expect(shared.lasted).toBeLessThanOrEqual(lastsAtMost);
	},
);

async function measure(crowd: Crowd, limiter: 'sliding' | 'fixed') {
	const { sandbox, credential } = await platformFor(n8n, { rate, limiter, seedEvents: 16 });
	const batches = await registerAll(sandbox, credential, crowd, `${limiter}-${crowd.workers}`);
	for (const { sessionId, first, count } of batches) {
		expect(registeredAt(sandbox, sessionId)).toEqual(addresses(count, first));
	}
	const shared = share(await requestsBySession(sandbox, batches));
	process.stdout.write(`${crowd.workers} workers, ${limiter}: ${inWords(shared)}\n`);
	return shared;
}

/** One execution for each worker, each for a session of its own, by which its requests are told apart. */
async function registerAll(
	sandbox: TestSandbox,
	credential: SavedCredential,
	{ workers: count, peopleEach }: Crowd,
	path: string,
): Promise<Batch[]> {
	const bulk = bulkRegister(credential, '={{ $json.sessionId }}');
	const register = await publishedAt(n8n, path, bulk);
	const batches = openSessions(sandbox)
		.slice(0, count)
		.map((sessionId, index) => ({ sessionId, first: 1 + index * peopleEach, count: peopleEach }));
	await Promise.all(batches.map((batch) => startExecution(n8n, path, batch)));
	const executions = await endedExecutions(n8n, register, count);

	const people = executions.flatMap((execution) => execution.output('Register in bulk'));
	expect(people).toHaveLength(count * peopleEach);
	expect(new Set(people.map(({ status }) => status))).toEqual(new Set(['registered']));
	return batches;
}

function openSessions({ platform: { store } }: TestSandbox): string[] {
	const rows = store.all(
		`SELECT s.id FROM sessions s JOIN events e ON e.id = s.event_id
		WHERE e.status = 'published' AND s.started_at = 0 AND s.canceled_at = 0 AND s.registrants_count = 0
			AND s.estimated_started_at > ? ORDER BY s.seq`,
		Math.floor(Date.now() / 1_000),
	);
	return rows.map(({ id }) => String(id));
}

/** The requests of the API that belong to each batch, in the order in which they arrived. */
async function requestsBySession(sandbox: TestSandbox, batches: Batch[]) {
	const jobs = sandbox.platform.store.all('SELECT id, session_id FROM jobs');
	const sessionOfJob = new Map(jobs.map((job) => [String(job['id']), String(job['session_id'])]));
	const requests = await sandbox.requests();
	return batches.map(({ sessionId }) =>
		requests.filter(({ path }) => {
			const [, kind, id = ''] = /^\/v1\/(sessions|jobs)\/([^/]+)/.exec(path) ?? [];
			return (kind === 'jobs' ? sessionOfJob.get(id) : id) === sessionId;
		}),
	);
}

/** How all fared in the time in which all were at it. */
interface Share {
	seconds: number;
	/** Part of the requests. */
	refused: number;
	/** Part of the limit. */
	used: number;
	/** Part of what would be fair that the slowest got. */
	leastPart: number;
	/** The time that all had until the last one was done, as a multiple of what the limit needs for it. */
	lasted: number;
}

function share(requests: LoggedRequest[][]): Share {
	const from = Math.max(...requests.map((own) => own.at(0)?.time ?? Infinity)) + settlingMs;
	const to = Math.min(...requests.map((own) => own.at(-1)?.time ?? -Infinity));
	const during = requests.map((own) => own.filter(({ time }) => time >= from && time <= to));
	const accepted = during.map((own) => own.filter(({ status }) => status !== 429).length);
	const all = during.flat().length;
	const allAccepted = accepted.reduce((sum, count) => sum + count, 0);
	const seconds = (to - from) / 1_000;
	const times = requests.flat().map(({ time }) => time);
	const acceptedInAll = requests.flat().filter(({ status }) => status !== 429).length;
	return {
		seconds,
		refused: (all - allAccepted) / all,
		used: allAccepted / (seconds * rate),
		leastPart: Math.min(...accepted) / (allAccepted / requests.length),
		lasted: (Math.max(...times) - Math.min(...times)) / 1_000 / (acceptedInAll / rate),
	};
}

function inWords({ seconds, refused, used, leastPart, lasted }: Share) {
	const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
	return `${percent(refused)} refused, ${percent(used)} of the limit used, the slowest got ${percent(leastPart)} of its fair part (${seconds.toFixed(0)} s), and all lasted ${lasted.toFixed(2)} times as long as at the limit.`;
}
