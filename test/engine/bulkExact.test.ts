import '../support/time/fasterClock';
import type { SandboxOptions } from '../../sandbox/options';
import { bulkRegister, numberedPeople, statusesOf } from '../support/runs/bulkScene';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { mapped, operate } from '../support/n8n/operation';
import { upcomingSession } from '../support/platform/seededIds';
import { byId } from '../support/n8n/locators';
import { dayMs } from '../support/time/units';

/** A platform that has nothing beyond the specification, and the answers that the specification does not show. */
let sandbox: TestSandbox;
/** The same platform with jobs that do not end. */
let slow: TestSandbox;

const exact = { world: 'exact', rate: 1_000 } as const;

beforeAll(async () => {
	sandbox = await sandboxForTests({ ...exact, jobMs: 200 });
	slow = await sandboxForTests({ ...exact, jobMs: dayMs });
});
beforeEach(async () => {
	await sandbox.reset();
	await slow.reset();
});

const early = ['404', 'empty'] as const;

describe('before a job has ended, its results', () => {
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
			await sandbox.changeWorld({ earlyResults: '404', jobReadStatus });
			const jobId = await sandbox.startJob(['ada@example.com']);
			const ended = await operate(sandbox, 'job.wait', { jobId });
			expect(ended.records).toMatchObject([{ id: jobId, status: 'ended', timed_out: false }]);
			const { records } = await operate(sandbox, 'job.getTasks', { jobId });
			expect(records).toMatchObject([{ status: 'succeeded', email: 'ada@example.com' }]);
		},
	);
});

test.each([true, false])(
	'Get Tasks says how many results its limit leaves out, Simplify %s',
	async (simplify) => {
		const jobId = await sandbox.startJob(['ada@example.com', 'bob@example.com', 'cy@example.com']);
		await operate(sandbox, 'job.wait', { jobId });
		const cut = await operate(sandbox, 'job.getTasks', { jobId, simplify, limit: 2 });
		expect(cut.records).toHaveLength(2);
		expect(cut.hints).toEqual(["Showing 2 of 3. Turn on 'Return All' to get the rest."]);
		const all = await operate(sandbox, 'job.getTasks', { jobId, simplify, limit: 3 });
		expect([all.records.length, all.hints]).toEqual([3, []]);
	},
);

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
		{ recordFields: 'none' },
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

	test.each(['errors', 'message', 'error', 'text'] as const)(
		'of somebody who is registered is told in the shape "%s"',
		async (errorShape) => {
			await sandbox.changeWorld({ registeredStatus: '422', errorShape });
			await sandbox.register('ada@example.com');
			const { records, error } = await register('ada@example.com');
			expect(error).toBeUndefined();
			const registration = { status: 'already_registered', email: 'ada@example.com', id: null };
			expect(records).toMatchObject([registration]);
		},
	);
});

describe('what section 2.2 does not name', () => {
	const utm = {
		utm_source: 's',
		utm_medium: 'm',
		utm_campaign: 'c',
		utm_term: 't',
		utm_content: 'n',
	};
	const leftOut =
		/^Left out, because the platform refuses them: utm_medium, utm_campaign, utm_term, utm_content\.$/;
	const automatically = mapped(null);

	test('is left out after one refusal, for everybody, and a hint names it', async () => {
		const people = numberedPeople(120).map((person) => ({ ...person, ...utm }));
		const { records, error, hints } = await bulkRegister(sandbox, people, {
			parameters: { fields: automatically },
		});
		expect(error).toBeUndefined();
		expect(statusesOf(records)).toEqual({ registered: 120 });
		const requests = await sandbox.requests();
		const posts = requests.filter(({ method }) => method === 'POST');
		expect(posts.length).toBeLessThanOrEqual(6);
		expect(hints).toContainEqual(expect.stringMatching(leftOut));
	});

	test('is left out by Register after one refusal, and not sent for the next item', async () => {
		const { records, hints, sent } = await operate(
			sandbox,
			'registration.register',
			{ sessionId: byId(upcomingSession), fields: automatically },
			{ items: numberedPeople(3, 'utm').map((person) => ({ ...person, ...utm })) },
		);
		expect(records.map(({ status }) => status)).toEqual(Array(3).fill('registered'));
		expect(sent.filter((request) => request.startsWith('POST')).length).toBeLessThanOrEqual(6);
		expect(hints).toContainEqual(expect.stringMatching(leftOut));
	});

	describe('is no list:', () => {
		// Only a form that says which questions take several answers has lists sent.
		beforeEach(() => sandbox.changeWorld({ recordFields: 'all' }));

		test('the choice of a question with several answers is a text, after one refusal', async () => {
			const people = numberedPeople(100).map((person) => ({ ...person, interests: 'Product' }));
			const { records } = await bulkRegister(sandbox, people, {
				parameters: { fields: automatically },
			});
			expect(statusesOf(records)).toEqual({ registered: 100 });
			const sent = (await sandbox.requests()).filter(({ method }) => method === 'POST');
			expect(sent.map(({ status }) => status)).toContain(400);
			expect(sent.length).toBeLessThanOrEqual(4);
		});

		test('one of fifty who has two choices costs nobody else the registration', async () => {
			const people = numberedPeople(50).map((person, index) => ({
				...person,
				interests: index === 7 ? ['Product', 'Pricing'] : 'Product',
			}));
			const { records } = await bulkRegister(sandbox, people, {
				parameters: { fields: automatically },
			});
			expect(statusesOf(records)).toEqual({ registered: 49, failed: 1 });
			expect(records[7]?.status).toBe('failed');
		});
	});

	test('costs nobody the registration who has no part in another refusal', async () => {
		await sandbox.changeWorld({ unknownField: 'request' });
		const match = { method: 'GET', path: '/v1/people_attributes' };
		await sandbox.faults([{ match, do: 'empty-403', times: 10 }]);
		const people = numberedPeople(50).map((person, index) => ({
			...person,
			...(index % 10 === 3 && { shoe_size: 38 }),
			...utm,
		}));
		const { records } = await bulkRegister(sandbox, people, {
			parameters: { fields: automatically },
		});
		expect(statusesOf(records)).toEqual({ registered: 45, failed: 5 });
		expect(records.flatMap(({ status }, index) => (status === 'failed' ? index : []))).toEqual([
			3, 13, 23, 33, 43,
		]);
	});
});
