import type { SandboxOptions } from '../../sandbox/options';
import {
	bulkOf,
	type JobAnswer,
	jobIn,
	personOf,
	sandboxForTests,
	seededEvent,
	type TestSandbox,
	upcomingSession,
	until,
} from '../support/sandbox';
import { type List, readList } from './asking';
import { receiver, register, subscribe } from './webhookSubscriber';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests({ rate: 1_000, seedPeople: 120 });
});
beforeEach(() => sandbox.reset());

const turn = (traits: Partial<SandboxOptions>) =>
	sandbox.web.post<SandboxOptions & { errors: Array<{ detail: string }> }>(
		'/_sandbox/world',
		traits,
	);
const people = `/sessions/${upcomingSession}/people`;
const addresses = (count: number) =>
	Array.from({ length: count }, (_, index) => `guest-${index}@example.org`);

interface Result {
	status: string;
	errors: Array<{ code: string; message: string }>;
	data?: { attributes: { email: string } };
}

async function submit(emails: string[], bulk: object = bulkOf(emails)) {
	return sandbox.api.post<JobAnswer | { data: JobAnswer }>(`${people}/bulk`, bulk);
}
async function results(id: string): Promise<Result[]> {
	return (await sandbox.api.get<{ data: Result[] }>(`/jobs/${id}/tasks`)).data.data;
}
const emailsOf = (rows: Result[]) => rows.map(({ data }) => data?.attributes.email);

describe('the world', () => {
	test('is the one of the specification, and becomes the wild one until the next reset', async () => {
		const read = async () => (await sandbox.web.get<SandboxOptions>('/_sandbox/world')).data;
		expect(await read()).toMatchObject({ world: 'specification', jobShape: 'flat' });
		expect((await turn({ world: 'wild', limiter: 'bucket' })).data).toMatchObject({
			world: 'wild',
			jobShape: 'wrapped',
			limiter: 'bucket',
		});
		await sandbox.reset();
		expect(await read()).toMatchObject({ world: 'specification', limiter: 'sliding' });
	});

	test('a trait that is given wins over the wild world', async () => {
		const other = await sandboxForTests({ world: 'wild', jobShape: 'flat' });
		const { data } = await other.web.get<SandboxOptions>('/_sandbox/world');
		expect([data.world, data.jobShape, data.jobCounters]).toEqual(['wild', 'flat', 'other']);
	});

	test.each([
		[{ speed: 9 }, "There is no trait 'speed'."],
		[{ rate: 9 }, "There is no trait 'rate'."],
		[JSON.parse('{"__proto__x": 1}'), "There is no trait '__proto__x'."],
		[{ limiter: 'leaky' }, "limiter must be sliding or fixed or bucket; it was 'leaky'."],
		[{ nulls: 'yes' }, 'nulls takes a boolean.'],
		[{ resultsLagMs: -1 }, 'resultsLagMs must be a whole number'],
		[{ droppedDeliveries: 2 }, 'droppedDeliveries must be a number from 0 to 1'],
		[[], 'Send an object'],
	])('%j is no world', async (body, said) => {
		const { status, data } = await turn(body as object);
		expect([status, data.errors[0]?.detail]).toEqual([400, expect.stringContaining(said)]);
	});
});

describe('limits', () => {
	test('without limit headers a 429 still says how long to wait', async () => {
		const told = await sandboxForTests({ rate: 1, monthly: 10, limitHeaders: false });
		const answers = [await told.api.get('/ping'), await told.api.get('/ping')];
		expect(answers.map(({ status }) => status)).toEqual([200, 429]);
		expect(answers[1]?.headers['retry-after']).toBe('1');
		for (const { headers } of answers) expect(Object.keys(headers).join()).not.toMatch(/ratelimit/);
	});
});

describe('jobs', () => {
	test('every second job is told the id of the one before it, and is worked on all the same', async () => {
		await turn({ jobIds: 'repeated' });
		const ids = [];
		for (const email of ['a@example.org', 'b@example.org', 'c@example.org']) {
			ids.push(jobIn((await submit([email])).data).id);
		}
		expect(ids[1]).toBe(ids[0]);
		expect(ids[2]).not.toBe(ids[0]);
		await sandbox.jobEnd(ids[2] ?? '');
		expect(emailsOf(await results(ids[0] ?? ''))).toEqual(['a@example.org']);
		for (const email of ['a@example.org', 'b@example.org', 'c@example.org']) {
			const found = await readList(sandbox, people, { 'filter[email]': email });
			expect(found.data).toHaveLength(1);
		}
	});
});

describe('records', () => {
	test('a registration without its date', async () => {
		await turn({ registrationDates: false });
		const { data } = await readList(sandbox, people);
		expect(data[0]?.attributes).toMatchObject({ created_at: expect.any(Number) as number });
		expect(data[0]?.attributes['registrant_detail']).not.toHaveProperty('created_at');
	});

	test('a list that lags behind its count', async () => {
		await turn({ listLagMs: 60_000 });
		await sandbox.api.post(people, personOf('late@b.example'));
		const { data, meta } = await readList(sandbox, people, { 'filter[email]': 'late@b.example' });
		expect([data, meta.record_count]).toEqual([[], 1]);
	});

	test('what is not found at the first DELETE, and goes at the second', async () => {
		await turn({ firstDelete: '404' });
		const statuses = [];
		for (let nth = 0; nth < 3; nth++) {
			statuses.push((await sandbox.api.delete(`/events/${seededEvent}`)).status);
		}
		expect(statuses).toEqual([404, 204, 404]);
	});

	test.each([
		['none', 0, 0],
		['inserted', 2, 0],
		['deleted', 0, 2],
		['both', 2, 2],
	] as const)('while a list of three pages is read: %s', async (listChanges, added, removed) => {
		const all = async () => {
			const pages: List[] = [];
			for (
				let page: number | null = 0;
				page !== null;
				page = pages.at(-1)?.meta.next_page ?? null
			) {
				const params = { 'page[number]': page, 'page[size]': 50 };
				pages.push(await readList(sandbox, people, params));
			}
			return pages.flatMap(({ data }) => data.map(({ id }) => id));
		};
		const filler = addresses(10).map((email) => personOf(email));
		for (const body of filler) await sandbox.api.post(people, body);
		const before = await all();
		await turn({ listChanges });
		const during = await all();
		await turn({ listChanges: 'none' });
		const after = await all();
		expect(before.length).toBe(106);
		expect(before.filter((id) => !after.includes(id))).toHaveLength(removed);
		expect(after.filter((id) => !before.includes(id))).toHaveLength(added);
		// Whoever stayed and is missing is the damage that a client has to notice.
		const missed = after.filter((id) => before.includes(id) && !during.includes(id));
		expect(missed).toHaveLength(removed);
	});
});

describe('deliveries of another world', () => {
	/** The addresses of those whose registration was delivered, in the order of arrival. */
	async function delivered(traits: Partial<SandboxOptions>, people = 20, enough = people) {
		const sandbox = await sandboxForTests(traits);
		const { url, deliveries } = await receiver();
		await subscribe(sandbox, url, 'people.registered');
		for (let index = 0; index < people; index++) await register(sandbox, `p${index}@example.org`);
		await until(() => deliveries.length >= enough);
		const emails = deliveries.map(({ body }) => {
			const { data } = body as { data: { attributes: { email: string } } };
			return Number(data.attributes.email.slice(1).split('@')[0]);
		});
		return { sandbox, emails };
	}

	test('a share of the deliveries is never sent, the same ones for the same seed', async () => {
		const traits = { droppedDeliveries: 0.5, drawSeed: 7 };
		const first = await delivered(traits, 20, 5);
		const second = await delivered(traits, 20, 5);
		const seen = async ({ sandbox }: typeof first) => {
			const { data } = await sandbox.web.get<Array<{ body: unknown }>>('/_sandbox/deliveries');
			return data.map(({ body }) => /p\d+@/.exec(JSON.stringify(body))?.[0]);
		};
		const sent = await seen(first);
		expect(sent.length).toBeGreaterThan(4);
		expect(sent.length).toBeLessThan(16);
		expect(await seen(second)).toEqual(sent);
		const other = await delivered({ ...traits, drawSeed: 8 }, 20, 5);
		expect(await seen(other)).not.toEqual(sent);
	});

	test('all deliveries doubled: everything comes twice', async () => {
		const { emails } = await delivered({ doubledDeliveries: 1 }, 10, 20);
		for (let person = 0; person < 10; person++) {
			expect(emails.filter((one) => one === person)).toHaveLength(2);
		}
	});

	test('late deliveries come, later than they were due', async () => {
		const { sandbox } = await delivered({ lateDeliveries: 1, lateMs: 150 }, 3);
		const { data } =
			await sandbox.web.get<Array<{ createdAt: number; attempts: Array<{ time: number }> }>>(
				'/_sandbox/deliveries',
			);
		for (const { createdAt, attempts } of data) {
			expect((attempts[0]?.time ?? 0) - createdAt).toBeGreaterThanOrEqual(150);
		}
	});

	test('unordered deliveries all come, some of them after one that happened later', async () => {
		const { emails } = await delivered({ unorderedDeliveries: 0.4 }, 20);
		expect(emails.toSorted((one, other) => one - other)).toEqual([...Array(20).keys()]);
		expect(emails).not.toEqual([...Array(20).keys()]);
	});
});
