import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { seenKey } from '../../../nodes/EventPlatform/core/events/delivery';
import type { Delivery } from '../../../nodes/EventPlatform/core/events/eventTypes';
import { unlimited, type Search } from '../../../nodes/EventPlatform/core/polling/cursor';
import { readEndedJobs } from '../../../nodes/EventPlatform/core/polling/jobs';
import type { Round } from '../../../nodes/EventPlatform/core/polling/round';
import { noFilters } from '../../support/runs/filters';
import { now, roundWith } from '../../support/runs/pollRound';

interface PolledJobs extends Partial<Pick<Search, 'eventTypes' | 'isDelivered'>> {
	/** The jobs that people named. */
	named?: string[];
	/** The state of a job by its id, or why it cannot be read. The others have ended. */
	jobs?: Record<string, object | Cause>;
	/** The jobs that have started a run. */
	seen?: string;
	startedAt?: number;
	limits?: Round['limits'];
}

const eventOf = (id: string): Delivery => ({
	eventType: 'job.ended',
	record: { type: 'jobs', id, attributes: {}, relationships: {} },
});

const recordOf = (id: string, status = 'ended') => ({ type: 'jobs', id, attributes: { status } });

/** Looks for ended jobs; gives them, the requests, and the failures of the poll. */
async function poll({ named = ['a'], jobs = {}, seen, startedAt = now, ...more }: PolledJobs) {
	const { eventTypes = ['session.ended', 'job.ended'], isDelivered, limits = unlimited } = more;
	const filters = { ...noFilters, jobIds: named };
	const { round, asked, failures } = roundWith({
		answers({ path }) {
			const id = path.split('/').at(-1) ?? '';
			return jobs[id] ?? recordOf(id);
		},
		search: { eventTypes, filters, isDelivered },
		cursor: { startedAt, jobs: seen },
		limits,
	});
	const ended = await readEndedJobs(round);
	const ids = ended.map(({ record }) => record.id);
	return { ids, ended, paths: asked.map(({ path }) => path), failures };
}

test('a job that has started a run costs no request', async () => {
	const seen = seenKey(eventOf('a'));
	expect((await poll({ named: ['a', 'b'], seen })).paths).toEqual(['/jobs/b']);
});

test('a job that people named twice, in two letter cases, costs a request', async () => {
	const id = '7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b';
	expect((await poll({ named: [id.toUpperCase(), id] })).paths).toEqual([`/jobs/${id}`]);
});

test('nothing is asked where nobody wants to know of jobs', async () => {
	expect((await poll({ eventTypes: ['session.ended'] })).paths).toEqual([]);
});

test('nothing more is asked when the time of the poll is over', async () => {
	let asked = 0;
	const limits = { ...unlimited, isTimeOver: () => asked++ > 0 };
	expect((await poll({ named: ['a', 'b'], limits })).paths).toEqual(['/jobs/a']);
});

test.each<[string, object | Cause, string[]]>([
	['is running, starts no run', recordOf('a', 'processing'), []],
	['does not exist, starts no run', 'not_found', []],
	['cannot be read, starts no run', 'platform_error', []],
	['is shown as no job, starts no run', {}, []],
	['has failed, starts a run', recordOf('a', 'failed'), ['a']],
	['has ended, starts a run', recordOf('a'), ['a']],
])('a job that %s', async (_, answer, ids) => {
	expect((await poll({ jobs: { a: answer } })).ids).toEqual(ids);
});

test.each<[Cause, boolean]>([
	['not_found', false],
	['platform_error', true],
])('a job that cannot be read holds up no other, and %s is told: %s', async (cause, isTold) => {
	const { ids, failures } = await poll({ named: ['a', 'b'], jobs: { a: cause } });
	expect(ids).toEqual(['b']);
	expect(failures.map((error) => error instanceof Failure)).toEqual(isTold ? [true] : []);
});

test('a job keeps the ID that people named, so that it is remembered by that', async () => {
	expect((await poll({ jobs: { a: recordOf('another') } })).ids).toEqual(['a']);
});

test('a job that a delivery has told starts no run', async () => {
	expect((await poll({ isDelivered: ({ record }) => record.id === 'a' })).ids).toEqual([]);
});

test.each([
	['the moment', now - 9, now],
	['the beginning of polling where that is later', now + 9, now + 9],
])('an ended job happens at %s', async (_, startedAt, happenedAtSeconds) => {
	const { ended } = await poll({ startedAt });
	expect(ended[0]).toMatchObject({ eventType: 'job.ended', happenedAtSeconds, isUntimed: true });
});
