import type { SandboxOptions } from '../../sandbox/options';
import { openReceiver } from '../support/platform/webhookReceiver';
import {
	guestAddresses,
	sandboxForTests,
	sandboxOfFile,
	type TestSandbox,
} from '../support/platform/sandbox';
import type { Page } from '../support/platform/requests';
import { upcomingSession } from '../support/platform/seededIds';
import { eventually } from '../support/time/eventually';

const sandbox = sandboxOfFile({ seedPeople: 60 });
beforeEach(() => sandbox.reset());

async function peopleOn(params: object): Promise<Page> {
	return (await sandbox.api.get<Page>(`/sessions/${upcomingSession}/people`, { params })).data;
}

/** The traits that a sandbox has now. */
const traitsOf = async ({ web }: TestSandbox) =>
	(await web.get<SandboxOptions>('/_sandbox/world')).data;
const ofSpecification = { world: 'specification', jobShape: 'flat', limiter: 'sliding' };

test('another world stays until the next reset', async () => {
	await sandbox.changeWorld({ world: 'wild', limiter: 'bucket' });
	const wild = { world: 'wild', jobShape: 'wrapped', limiter: 'bucket' };
	expect(await traitsOf(sandbox)).toMatchObject(wild);
	await sandbox.reset();
	expect(await traitsOf(sandbox)).toMatchObject(ofSpecification);
});

test('a trait that is named at the start is stronger than the world', async () => {
	const flat = await sandboxForTests({ world: 'wild', jobShape: 'flat' });
	expect(await traitsOf(flat)).toMatchObject({ jobShape: 'flat', jobCounters: 'other' });
});

test('a 429 without limit headers still says how long to wait', async () => {
	const { api } = await sandboxForTests({ rate: 1, limitHeaders: false });
	expect((await api.get('/ping')).status).toBe(200);
	const { status, headers } = await api.get('/ping');
	expect([status, headers['retry-after']]).toEqual([429, '1']);
	expect(Object.keys(headers).join()).not.toMatch(/ratelimit/);
});

test('a registration has no date', async () => {
	await sandbox.changeWorld({ registrationDates: false });
	const [person] = (await peopleOn({})).data;
	expect(person?.attributes['registrant_detail']).not.toHaveProperty('created_at');
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
	await sandbox.changeWorld({ listChanges });
	const [first, second] = [await page(0), await page(1)];
	expect(second.count).toBe(first.count + more);
	const seen = [...first.ids, ...second.ids];
	// A client has to notice that somebody moved up to a page that it had read already.
	expect(before.filter((id) => !seen.includes(id))).toHaveLength(missing);
});

const numbersIn = (bodies: readonly unknown[]) =>
	bodies.map((body) => Number(/guest-(\d+)@/.exec(JSON.stringify(body))?.[1]));

/** So many people register; the numbers of those whose deliveries arrive, in that order. */
async function arrived(traits: Partial<SandboxOptions>, count: number, enough = count) {
	const world = await sandboxForTests(traits);
	const { url, deliveries } = await openReceiver();
	await world.subscribe(url, 'people.registered');
	for (const email of guestAddresses(count)) await world.register(email);
	await eventually(() => deliveries.length >= enough);
	const sent = numbersIn((await world.deliveries()).map(({ body }) => body));
	return { sent, arrived: numbersIn(deliveries.map(({ body }) => body)) };
}

test('a share of the deliveries is never sent, the same ones each time', async () => {
	const sent = async () => (await arrived({ droppedDeliveries: 0.5 }, 20, 0)).sent;
	const first = await sent();
	expect(Math.abs(first.length - 10)).toBeLessThan(6);
	expect(await sent()).toEqual(first);
});

test('deliveries come twice', async () => {
	const twice = await arrived({ doubledDeliveries: 1 }, 3, 6);
	expect(twice.arrived.sort()).toEqual([0, 0, 1, 1, 2, 2]);
});

test('deliveries come late', async () => {
	const { url } = await openReceiver();
	const world = await sandboxForTests({ lateDeliveries: 1, lateMs: 150 });
	await world.subscribe(url, 'people.registered');
	for (const email of guestAddresses(3)) await world.register(email);
	const late = async () =>
		(await world.deliveries()).flatMap(({ createdAt, attempts }) =>
			attempts.map(({ time }) => time - createdAt),
		);
	await eventually(async () => (await late()).length === 3);
	// A timer counts from the beginning of the turn in which it is set, so that on a busy machine one may seem early.
	expect(Math.max(...(await late()))).toBeGreaterThanOrEqual(150);
});
