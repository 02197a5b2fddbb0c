import type { SandboxOptions } from '../../sandbox/options';
import { openReceiver } from '../support/receiver';
import {
	bulkOf,
	type JobAnswer,
	personOf,
	sandboxForTests,
	seededEvent,
	type TestSandbox,
	upcomingSession,
	until,
} from '../support/sandbox';
import { bulkPath, crowd, detailOf, resultsOf, subscribe, type Page } from './requests';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests({ seedPeople: 60 });
});
beforeEach(() => sandbox.reset());

const people = `/sessions/${upcomingSession}/people`;
const turn = (traits: object) => sandbox.web.post<SandboxOptions>('/_sandbox/world', traits);

async function peopleOn(params: object): Promise<Page> {
	return (await sandbox.api.get<Page>(people, { params })).data;
}

describe('the world', () => {
	const read = async ({ web }: TestSandbox) =>
		(await web.get<SandboxOptions>('/_sandbox/world')).data;

	test('is the one of the specification, and becomes the wild one until the next reset', async () => {
		const specification = { world: 'specification', jobShape: 'flat', limiter: 'sliding' };
		expect(await read(sandbox)).toMatchObject(specification);
		const wild = { world: 'wild', jobShape: 'wrapped', limiter: 'bucket' };
		expect((await turn({ world: 'wild', limiter: 'bucket' })).data).toMatchObject(wild);
		await sandbox.reset();
		expect(await read(sandbox)).toMatchObject(specification);
	});

	test('a trait that is given wins over the wild world', async () => {
		const given = { world: 'wild', jobShape: 'flat' } as const;
		expect(await read(await sandboxForTests(given))).toMatchObject({
			...given,
			jobCounters: 'other',
		});
	});

	test.each([
		[{ rate: 9 }, "There is no trait 'rate'."],
		[JSON.parse('{"__proto__x": 1}'), "There is no trait '__proto__x'."],
		[{ limiter: 'leaky' }, "limiter must be sliding or fixed or bucket; it was 'leaky'."],
		[{ nulls: 'yes' }, 'nulls takes a boolean.'],
		[{ droppedDeliveries: 2 }, 'droppedDeliveries must be a number from 0 to 1'],
		[[], 'Send an object'],
	])('%j is no world', async (body, said) => {
		const answer = await turn(body as object);
		expect(answer.status).toBe(400);
		expect(detailOf(answer)).toContain(said);
	});
});

describe('what a platform may do', () => {
	test('a 429 without limit headers still says how long to wait', async () => {
		const { api } = await sandboxForTests({ rate: 1, limitHeaders: false });
		expect((await api.get('/ping')).status).toBe(200);
		const { status, headers } = await api.get('/ping');
		expect([status, headers['retry-after']]).toEqual([429, '1']);
		expect(Object.keys(headers).join()).not.toMatch(/ratelimit/);
	});

	test('every second job is told the id of the one before it, and is worked on all the same', async () => {
		await turn({ jobIds: 'repeated' });
		const ids: string[] = [];
		for (const email of crowd(3)) {
			ids.push((await sandbox.api.post<JobAnswer>(bulkPath, bulkOf([email]))).data.id);
		}
		expect(ids[1]).toBe(ids[0]);
		expect(ids[2]).not.toBe(ids[0]);
		await sandbox.jobEnd(ids[2] ?? '');
		expect(await resultsOf(sandbox, ids[0] ?? '')).toHaveLength(1);
		for (const email of crowd(3)) {
			expect((await peopleOn({ 'filter[email]': email })).data).toHaveLength(1);
		}
	});

	test('a registration has no date', async () => {
		await turn({ registrationDates: false });
		const { data } = await peopleOn({});
		expect(data[0]?.attributes['registrant_detail']).not.toHaveProperty('created_at');
	});

	test('a list lags behind its count', async () => {
		await turn({ listLagMs: 60_000 });
		await sandbox.api.post(people, personOf('late@b.example'));
		const { data, meta } = await peopleOn({ 'filter[email]': 'late@b.example' });
		expect([data, meta.record_count]).toEqual([[], 1]);
	});

	test('what is not found at the first DELETE goes at the second', async () => {
		await turn({ firstDelete: '404' });
		const remove = async () => (await sandbox.api.delete(`/events/${seededEvent}`)).status;
		expect([await remove(), await remove(), await remove()]).toEqual([404, 204, 404]);
	});

	test.each([
		['inserted', 1, 0],
		['deleted', -1, 1],
	] as const)('while two pages are read, somebody is %s', async (listChanges, more, missing) => {
		const page = async (number: number) => {
			const { data, meta } = await peopleOn({ 'page[number]': number, 'page[size]': 20 });
			return { ids: data.map(({ id }) => id), count: meta.record_count };
		};
		const before = [...(await page(0)).ids, ...(await page(1)).ids];
		await turn({ listChanges });
		const [first, second] = [await page(0), await page(1)];
		expect(second.count).toBe(first.count + more);
		const seen = [...first.ids, ...second.ids];
		// A client has to notice that somebody moved up to a page that it had read already.
		expect(before.filter((id) => !seen.includes(id))).toHaveLength(missing);
	});
});

describe('deliveries of another world', () => {
	interface Made {
		createdAt: number;
		body: unknown;
		attempts: Array<{ time: number }>;
	}

	/** What was sent, and the numbers of the people in the order in which they arrived. */
	async function delivered(traits: Partial<SandboxOptions>, count: number, enough = count) {
		const { api, web, ...platform } = await sandboxForTests(traits);
		const { url, deliveries } = await openReceiver();
		await subscribe({ api, web, ...platform }, url, 'people.registered');
		for (const email of crowd(count)) await api.post(people, personOf(email));
		await until(() => deliveries.length >= enough);
		const numberIn = (body: unknown) => Number(/guest-(\d+)@/.exec(JSON.stringify(body))?.[1]);
		const { data: made } = await web.get<Made[]>('/_sandbox/deliveries');
		const sent = made.map(({ body }) => numberIn(body));
		return { made, sent, arrived: deliveries.map(({ body }) => numberIn(body)) };
	}

	test('a share of the deliveries is never sent, the same ones for the same seed', async () => {
		const sent = async (drawSeed: number) =>
			(await delivered({ droppedDeliveries: 0.5, drawSeed }, 20, 5)).sent;
		const first = await sent(7);
		expect(first.length).toBeGreaterThan(4);
		expect(first.length).toBeLessThan(16);
		expect(await sent(7)).toEqual(first);
		expect(await sent(8)).not.toEqual(first);
	});

	test('all deliveries doubled: everything comes twice', async () => {
		const { arrived } = await delivered({ doubledDeliveries: 1 }, 5, 10);
		expect(arrived.sort()).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
	});

	test('late deliveries come, later than they were due', async () => {
		const { made } = await delivered({ lateDeliveries: 1, lateMs: 150 }, 3);
		for (const { createdAt, attempts } of made) {
			expect((attempts[0]?.time ?? 0) - createdAt).toBeGreaterThanOrEqual(150);
		}
	});

	test('unordered deliveries all come, some of them after one that happened later', async () => {
		const { arrived } = await delivered({ unorderedDeliveries: 0.4 }, 20);
		const inOrder = [...Array(20).keys()];
		expect(arrived.toSorted((one, other) => one - other)).toEqual(inOrder);
		expect(arrived).not.toEqual(inOrder);
	});
});
