import type { World } from '../../sandbox/options';
import { seededId } from '../../sandbox/seed/ids';
import {
	personOf,
	sandboxForTests,
	seededEvent,
	type TestSandbox,
	until,
	upcomingSession,
} from '../support/sandbox';
import { BatchUploader } from './clients/batchUploader';
import { PollingComponent } from './clients/pollingComponent';
import { RecordMapper } from './clients/recordMapper';

const heldSession = seededId('session', 5);
const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		email: `row-${index}@example.org`,
		first_name: `Row ${index}`,
	}));
const isStranger = (email: string) => email.startsWith('stranger');

describe.each<World>(['specification', 'wild'])('in the world %s', (world) => {
	let sandbox: TestSandbox;
	beforeAll(async () => {
		sandbox = await sandboxForTests({ world, tokenTtl: 3_600 });
	});
	beforeEach(() => sandbox.reset());

	describe('a page that uploads tables of people', () => {
		let client: BatchUploader;
		beforeEach(() => {
			client = new BatchUploader(sandbox.baseUrl, sandbox.apiToken);
		});

		// Without page parameters the specification gives 20 results at most.
		test('sees a result for every row, and all of them are registered', async () => {
			const job = await client.upload(upcomingSession, rows(20));
			await until(async () => (await client.look(job)).length === 20);
			const results = await client.look(job);
			expect(results.map(({ status }) => status)).toEqual(Array(20).fill('succeeded'));
			const found = (await client.registrants(upcomingSession)).filter((one) => !isStranger(one));
			expect(found.toSorted()).toEqual(
				rows(20)
					.map(({ email }) => email)
					.toSorted(),
			);
			const order = results.map(({ data }) => data?.attributes.email);
			const isSent = order.every((email, index) => email === rows(20)[index]?.email);
			expect(isSent).toBe(world === 'specification');
		});

		test('uploads the same table again, and is told of every row that it is there', async () => {
			const first = await client.upload(upcomingSession, rows(5));
			await until(async () => (await client.look(first)).length === 5);
			const second = await client.upload(upcomingSession, rows(5));
			await until(async () => (await client.look(second)).length === 5);
			for (const { status, errors = [] } of await client.look(second)) {
				expect([status, errors.length]).toEqual(['failed', 1]);
				expect(errors[0]?.message).toMatch(/already/);
			}
			expect(await client.registrants(upcomingSession)).toHaveLength(5);
		});
	});

	describe('a library that maps records', () => {
		let client: RecordMapper;
		beforeEach(async () => {
			const issue = { scope: 'full:write', ttl: 3_600 };
			const { data } = await sandbox.web.post<{ access_token: string; refresh_token: string }>(
				'/_sandbox/oauth/issue',
				issue,
			);
			client = new RecordMapper(sandbox, data);
		});

		test('walks lists with pages of 100, which the platform lowers', async () => {
			const emails = Array.from({ length: 60 }, (_, index) => `r${index}@example.org`);
			for (const email of emails) {
				await sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf(email));
			}
			const people = await client.all(`/sessions/${upcomingSession}/people`, 'session');
			const found = people.map(({ attributes }) => String(attributes['email']));
			expect(found.filter((one) => !isStranger(one)).toSorted()).toEqual(emails.toSorted());
			expect(people[0]?.attributes['session']).toMatchObject([{ name: 'Europe' }]);
		});

		test('follows what is included, and misses nothing where values are null', async () => {
			const events = await client.all('/events', 'sessions,tags');
			expect(events.map(({ attributes }) => (attributes['sessions'] as object[]).length)).toEqual([
				2, 2, 2,
			]);
			const questions = await client.all(`/sessions/${heldSession}/questions`, 'asker,responder');
			expect(questions[0]?.attributes['asker']).toMatchObject([{ role: 'participant' }]);
			const [session] = await client.all(`/events/${seededId('event', 3)}/sessions`, 'recordings');
			expect(session?.attributes['recordings']).toHaveLength(2);
		});

		test('changes an event with PUT, and reads it again', async () => {
			const path = `/events/${seededEvent}`;
			expect((await client.save(path, 'events', { title: 'Renamed' })).id).toBe(seededEvent);
			expect((await client.find(path)).attributes['title']).toBe('Renamed');
		});

		test('registers, finds who is there already, and unregisters by address', async () => {
			const first = await client.ensureRegistered(upcomingSession, 'a@example.org');
			const again = await client.ensureRegistered(upcomingSession, 'A@example.org');
			expect(again.id).toBe(first.id);
			await client.remove(`/sessions/${upcomingSession}/people`, {
				'filter[email]': 'a@example.org',
			});
			expect(await client.all(`/sessions/${upcomingSession}/people`)).toEqual([]);
		});

		test('refreshes an expired token with Basic beside the parameters, and again after a rotation', async () => {
			const expire = { match: { path: '/v1/ping' }, do: 'expire-token' as const };
			for (let time = 0; time < 3; time++) {
				await sandbox.faults([expire]);
				await client.find('/ping');
			}
			const refreshes = (await sandbox.requests()).filter(({ path }) => path === '/oauth/token');
			expect(refreshes.map(({ status }) => status)).toEqual([200, 200, 200]);
		});
	});

	test('a component that polls a session emits everybody once, as they come', async () => {
		const component = new PollingComponent(sandbox.baseUrl, sandbox.apiToken, upcomingSession);
		const people = `/sessions/${upcomingSession}/people`;
		expect(await component.poll()).toEqual([]);
		const emitted: string[] = [];
		const emails = Array.from({ length: 70 }, (_, index) => `n${index}@example.org`);
		for (const [index, email] of emails.entries()) {
			await sandbox.api.post(people, personOf(email));
			if (index % 30 === 29) emitted.push(...(await component.poll()));
		}
		emitted.push(...(await component.poll()));
		expect(emitted.filter((one) => !isStranger(one)).toSorted()).toEqual(emails.toSorted());
		expect((await component.poll()).filter((one) => !isStranger(one))).toEqual([]);
	});
});
