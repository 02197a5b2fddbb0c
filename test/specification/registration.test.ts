import '../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import type { SandboxOptions } from '../../sandbox/options';
import { operate } from '../support/n8n/operation';
import { guestAddresses, type TestSandbox } from '../support/platform/sandbox';
import { upcomingSession } from '../support/platform/seededIds';
import { answering, exactPlatform, registerInBulk, registerOne, tasksSent } from './scene';

let sandbox: TestSandbox;
/** Tasks of this sandbox take a while, so that its jobs are read before their end. */
let slow: TestSandbox;
beforeAll(async () => {
	[sandbox, slow] = await Promise.all([exactPlatform(), exactPlatform({ taskMs: 5, jobMs: 50 })]);
});
beforeEach(() => slow.reset());

const refused = { email: 'refused@a_host.example' };
const people = (count: number, name: string): IDataObject[] =>
	guestAddresses(count, name).map((email) => ({ email }));

describe('2.2 and 4.3 What is sent to register people', () => {
	const additionalFields = { referrer: 'https://example.org/', utmSource: 'mail' };
	const answers = { email: 'Grace@example.org', first_name: 'Grace', company: 'Navy' };
	/** The fields stand on the task itself, and each has an id and a value. */
	const task = {
		fields: Object.entries(answers).map(([id, value]) => ({ id, value })),
		referrer: 'https://example.org/',
		utm_source: 'mail',
	};

	test('many people are a job with a list of tasks, in the media type of JSON:API', async () => {
		const { credential, seen } = await answering(() => ({ status: 403, body: '' }));
		await registerInBulk(sandbox, [answers], {}, { credential });
		const jsonApi = 'application/vnd.api+json';
		expect(seen[0]?.headers).toMatchObject({ accept: jsonApi, 'content-type': jsonApi });
		const { requests } = await registerInBulk(sandbox, [answers], { additionalFields });
		expect(requests[0]).toMatchObject({ path: `/v1/sessions/${upcomingSession}/people/bulk` });
		expect(requests[0]?.body).toEqual({ data: { type: 'jobs', attributes: { tasks: [task] } } });
	});

	test('one person has the attributes of a task, in JSON', async () => {
		const { credential, seen } = await answering(() => ({ status: 403, body: '' }));
		await registerOne(sandbox, answers, {}, { credential });
		const json = 'application/json';
		expect(seen[0]?.headers).toMatchObject({ accept: json, 'content-type': json });
		const { requests } = await registerOne(sandbox, answers, { additionalFields });
		const { path, body } = requests.find(({ method }) => method === 'POST') ?? {};
		expect(path).toBe(`/v1/sessions/${upcomingSession}/people`);
		expect(body).toEqual({ data: { type: 'people', attributes: task } });
	});

	test('each value is a text, and nothing is sent of what is empty', async () => {
		const valuesOfJson: Array<[sent: string | undefined, value: IDataObject[string]]> = [
			['a text', 'a text'],
			['7', 7],
			['0.5', 0.5],
			['0', 0],
			['true', true],
			['false', false],
			['A, 2, false', ['A', 2, false]],
			['A', ['A']],
			[undefined, null],
			[undefined, []],
			[undefined, ''],
		];
		const list = valuesOfJson.map(([, company], index) => ({
			email: `values${index}@example.org`,
			company,
		}));
		const { requests } = await registerInBulk(sandbox, list);
		const sentValues = tasksSent(requests).map((sent) => {
			const { fields } = sent as { fields: Array<{ id: string; value: unknown }> };
			return fields.find(({ id }) => id === 'company')?.value;
		});
		expect(sentValues).toEqual(valuesOfJson.map(([sent]) => sent));
	});
});

describe('4.3 What becomes of a job', () => {
	test.each(['ended', 'failed'])(
		'A job is asked for until it is %s, whatever its counts say',
		async (status) => {
			const asked: string[] = [];
			const { credential } = await answering(({ path }) => {
				asked.push(path);
				const counts = { total_items: 2, total_processed_items: 2, total_success: 2 };
				const attributes = { status: asked.length < 3 ? 'processing' : status, ...counts };
				return { body: { type: 'jobs', id: 'j1', attributes } };
			});
			const { records } = await operate(sandbox, 'job.wait', { jobId: 'j1' }, { credential });
			expect(records).toMatchObject([{ status, timed_out: false }]);
			expect(asked).toEqual(Array(3).fill('/jobs/j1'));
		},
	);

	const early: Array<SandboxOptions['earlyResults']> = ['partial', 'empty', '404'];
	test.each(early)(
		'What the results show before the end of the job is not specified: everyone is told all the same (%j)',
		async (earlyResults) => {
			await slow.changeWorld({ earlyResults });
			const { records } = await registerInBulk(slow, [...people(20, 'early'), refused]);
			const statuses = records.map(({ status }) => status);
			expect(statuses).toEqual([...Array<string>(20).fill('registered'), 'failed']);
		},
	);

	test.each(['sent', 'shuffled', 'changing'] as const)(
		'Which result is whose is not specified: nobody is given the result of another (%j)',
		async (resultsOrder) => {
			await slow.changeWorld({ resultsOrder });
			const { records } = await registerInBulk(slow, [refused, ...people(20, 'order')]);
			expect(records.map(({ email, status }) => [email, status])).toEqual([
				[refused.email, 'failed'],
				...guestAddresses(20, 'order').map((email) => [email, 'registered']),
			]);
		},
	);

	test.each<Partial<SandboxOptions>>([{}, { personShape: 'flat' }, { recordFields: 'none' }])(
		'The record in a succeeded result is not specified: nobody is told what became of another (%j)',
		async (shape) => {
			const shaped = await exactPlatform({ ...shape, resultsOrder: 'shuffled' });
			const { records } = await registerInBulk(shaped, [...people(4, 'shape'), refused]);
			const truth = [...Array<string>(4).fill('registered'), 'failed'];
			// Where neither the order nor the records tell whose a result is, it is said that it is not known.
			const statuses = shape.recordFields === 'none' ? truth.map(() => 'unknown') : truth;
			expect(records.map(({ status }) => status)).toEqual(statuses);
			const all = await registerInBulk(shaped, people(3, 'all'));
			expect(all.records.map(({ status }) => status)).toEqual(Array(3).fill('registered'));
		},
	);
});

test.each(['a job', 'a result', 'a page', 'a record'])(
	'9 Changes have been additions: what is new does not break a client (%j)',
	async (where) => {
		const more = (place: string) => (where === place ? { brand_new: { a: [1] } } : {});
		const attributes = { status: 'ended', total_items: 1, ...more('a job') };
		const person = {
			id: 'p1',
			type: 'people',
			...more('a record'),
			attributes: { email: 'new@example.org', ...more('a record') },
		};
		const result = { status: 'succeeded', errors: [], data: person, ...more('a result') };
		const meta = { current_page: 0, next_page: null, ...more('a page') };
		const { credential } = await answering(({ method, path }) => {
			const job = { type: 'jobs', id: 'j1', attributes, ...more('a job') };
			if (method === 'POST') return { status: 202, body: job };
			if (!path.endsWith('/tasks')) return { body: job };
			return { status: 207, body: { data: [result], meta, ...more('a page') } };
		});
		const list = [{ email: 'new@example.org' }];
		const { records } = await registerInBulk(sandbox, list, {}, { credential });
		expect(records).toMatchObject([{ status: 'registered', person_id: 'p1', job_id: 'j1' }]);
	},
);
