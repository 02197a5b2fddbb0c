import { faster } from '../support/time/fasterClock';
import type { SandboxOptions } from '../../sandbox/options';
import { bulkRegister, numberedPeople, statusesOf } from '../support/runs/bulkScene';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { mapped, operate } from '../support/n8n/operation';
import { upcomingSession } from '../support/platform/seededIds';
import { byId } from '../support/n8n/locators';

/** A platform that has nothing beyond the specification, and the answers that the specification does not show. */
let sandbox: TestSandbox;
/** The same platform with long jobs. */
let slow: TestSandbox;

/** Takes 80 seconds of the connector's time, which is longer than a refused read is tried again. */
const jobMs = 80_000 / faster;

const exact = { world: 'exact', rate: 1_000 } as const;

beforeAll(async () => {
	sandbox = await sandboxForTests({ ...exact, jobMs: 200 });
	slow = await sandboxForTests({ ...exact, jobMs });
});
beforeEach(async () => {
	await sandbox.reset();
	await slow.reset();
});

const early = ['400', '404', '409', '422', '425', 'empty'] as const;

describe('before a job has ended, its results', () => {
	test.concurrent.each(['400', '422'] as const)(
		'may be a %s: the status is asked for',
		async (earlyResults) => {
			const slow = await sandboxForTests({ ...exact, earlyResults, jobReadStatus: '202', jobMs });
			const { items, error } = await bulkRegister(slow, numberedPeople(60));
			expect(error).toBeUndefined();
			expect(statusesOf(items)).toEqual({ registered: 60 });
			const asked = (await slow.requests()).map(({ operationId }) => operationId);
			expect(asked).toContain('getJob');
		},
	);

	test.each(early)('may be %s: Get Tasks returns none and says why', async (earlyResults) => {
		await slow.changeWorld({ earlyResults });
		const jobId = await slow.startJob(['ada@example.com']);
		for (const simplify of [true, false]) {
			const { records, error, hints } = await operate(slow, 'job.getTasks', { jobId, simplify });
			expect([records, error]).toEqual([[], undefined]);
			expect(hints).toEqual([expect.stringContaining('does not show results of the job yet')]);
		}
	});

	test.each(['202', '207'] as const)(
		'are waited for where the state of a job comes with %s',
		async (jobReadStatus) => {
			await sandbox.changeWorld({ earlyResults: '400', jobReadStatus });
			const jobId = await sandbox.startJob(['ada@example.com']);
			const ended = await operate(sandbox, 'job.wait', { jobId });
			expect(ended.records).toMatchObject([{ id: jobId, status: 'ended', timed_out: false }]);
			const { records } = await operate(sandbox, 'job.getTasks', { jobId });
			expect(records).toMatchObject([{ status: 'succeeded', email: 'ada@example.com' }]);
		},
	);
});

test('Get Tasks of a job that the platform does not know is an error', async () => {
	const { error, sent } = await operate(sandbox, 'job.getTasks', { jobId: 'none' });
	expect(error?.message).toBe('The platform cannot find the job (404)');
	expect(sent).toEqual(['GET /jobs/none/tasks?page[number]=0&page[size]=50', 'GET /jobs/none']);
});

describe('a single registration', () => {
	const register = (email: string) =>
		operate(sandbox, 'registration.register', {
			sessionId: byId(upcomingSession),
			fields: mapped({ email, first_name: 'Ada' }),
		});

	test.each<Partial<SandboxOptions>>([
		{ registrationAnswer: 'record', personShape: 'flat' },
		{ registrationAnswer: 'wrapped', personShape: 'fields' },
		{ registrationAnswer: 'wrapped', personShape: 'nested' },
		{ registrationAnswer: 'wrapped', personShape: 'bare' },
		{ registrationAnswer: 'noId' },
		{ registrationAnswer: 'ok', registrationStatus: '202' },
		{ registrationAnswer: 'empty', registrationStatus: '200' },
		{ registrationStatus: '204' },
	])('is made once, and told with the record as far as there is one: %j', async (traits) => {
		await sandbox.changeWorld(traits);
		const { records, error, sent } = await register('ada@example.com');
		expect(error).toBeUndefined();
		const registration = { status: 'registered', type: 'people', email: 'ada@example.com' };
		expect(records).toMatchObject([registration]);
		expect(records[0]).toHaveProperty('id');
		expect(sent).toEqual([`POST /sessions/${upcomingSession}/people`]);
	});

	const shapes = ['errors', 'message', 'error', 'text'] as const;
	const statuses = ['400', '409', '422'] as const;
	test.each(statuses.flatMap((status) => shapes.map((shape) => [status, shape] as const)))(
		'of somebody who is registered is told by a %s in the shape "%s"',
		async (registeredStatus, errorShape) => {
			await sandbox.changeWorld({ registeredStatus, errorShape });
			await sandbox.register('ada@example.com');
			const { records, error } = await register('ada@example.com');
			expect(error).toBeUndefined();
			const registration = { status: 'already_registered', email: 'ada@example.com', id: null };
			expect(records).toMatchObject([registration]);
		},
	);
});

describe('where one of fifty people is registered already', () => {
	test.each([
		['flat', { registered: 49, already_registered: 1 }],
		['fields', { registered: 49, already_registered: 1 }],
		['nested', { registered: 49, already_registered: 1 }],
		// Without any address nobody can tell whose the failure is.
		['bare', { unknown: 50 }],
	] as const)(
		'and persons are shown "%s", each has the own result',
		async (personShape, counts) => {
			await sandbox.changeWorld({ personShape, resultsOrder: 'shuffled' });
			const people = numberedPeople(50);
			await sandbox.register('p17@example.com');
			const { items } = await bulkRegister(sandbox, people);
			expect(statusesOf(items)).toEqual(counts);
			if (personShape !== 'bare') expect(items[17]?.json.status).toBe('already_registered');
		},
	);
});
