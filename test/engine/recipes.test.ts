import '../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerPeople } from '../support/platform/platformRecords';
import { mapped, operate } from '../support/n8n/operation';
import { sandboxOfFile } from '../support/platform/sandbox';
import { byId } from '../support/n8n/locators';
import { otherSession, seededEvent, upcomingSession } from '../support/platform/seededIds';

/* docs/recipes.md promises this of the settings that it names. */

const sandbox = sandboxOfFile({ rate: 1_000 });
beforeEach(() => sandbox.reset());

const participants = { returnAll: true, filters: { role: 'participant' } };

test('people are copied with their answers to another session, and a second run registers nobody twice', async () => {
	await registerPeople(sandbox, [
		{ email: 'ada@example.com', first_name: 'Ada', company: 'Engines' },
	]);
	const parameters = { sessionId: byId(upcomingSession), ...participants };
	const { records } = await operate(sandbox, 'session.getPeople', parameters);
	const copied = await sync(records);
	expect(copied.find(({ email }) => email === 'ada@example.com')?.status).toBe('added');
	const registration = await operate(sandbox, 'registration.get', {
		sessionId: byId(otherSession),
		by: 'email',
		email: 'ada@example.com',
	});
	expect(registration.records).toMatchObject([{ first_name: 'Ada', company: 'Engines' }]);
	expect(new Set((await sync(records)).map(({ status }) => status))).toEqual(
		new Set(['unchanged']),
	);
});

test('an event is repeated with its settings, at ten in the zone of the session, and the next node finds the session', async () => {
	const page = readFileSync(join(__dirname, '../../docs/recipes.md'), 'utf8');
	const [, start = ''] = /`(\{\{ \$today\.plus\(1, 'month'\)[^`]+\}\})`/.exec(page) ?? [];
	const { records, error } = await operate(sandbox, 'event.create', {
		title: 'Once more',
		sessions: {
			session: [{ estimatedStartedAt: `=${start}`, timezone: byId('Asia/Tokyo') }],
		},
		additionalFields: { copyFromEventId: byId(seededEvent), status: 'draft' },
	});
	expect(error).toBeUndefined();
	const [{ sessions = [] } = {}] = records as Array<{ sessions?: IDataObject[] }>;
	expect(sessions).toHaveLength(1);
	expect(sessions[0]).toHaveProperty('id');
	// Ten in Tokyo, which has no daylight saving time. n8n's zone in these tests is another one.
	const planned = new Date(sessions[0]?.estimated_started_at as string);
	expect(planned.toISOString()).toMatch(/T01:00:00\.000Z$/);
});

test('people of some domains are kept out however a list writes their addresses', async () => {
	const page = readFileSync(join(__dirname, '../../docs/recipes.md'), 'utf8');
	const [, isKeptOut = ''] = /`(\{\{ \/@[^`]+\}\})`/.exec(page) ?? [];
	const addresses = ['Ada <ada@Gmail.com>', ' ada@gmail.com ', undefined, 'ada@notgmail.com'];
	const items = addresses.map((email) => ({ email }));
	expect(await valuesOf(isKeptOut, items)).toEqual(['true', 'true', 'false', 'false']);
});

test('a date in another language is in the zone of the session', async () => {
	const page = readFileSync(join(__dirname, '../../docs/faq.md'), 'utf8');
	const [, date = ''] = /`(\{\{ DateTime[^`]+\}\})`/.exec(page) ?? [];
	const session = { starts_at: '2026-12-05T10:00:00Z', timezone: 'Asia/Tokyo' };
	expect(await valuesOf(date, [session])).toEqual(['5. Dezember, 19:00']);
});

test('the sessions of the next day are found by dates that an expression gives', async () => {
	const { error, sent } = await operate(sandbox, 'session.getAll', {
		filters: {
			status: 'upcoming',
			dateFrom: '={{ $today.toISO() }}',
			dateTo: '={{ $today.plus(1, "day").toISO() }}',
		},
	});
	expect(error).toBeUndefined();
	expect(sent[0]).toMatch(/filter\[date_from\]=.*filter\[date_to\]=/);
});

/** What an expression of a page gives for each of these items. */
async function valuesOf(expression: string, items: readonly IDataObject[]) {
	const { records } = await operate(
		sandbox,
		'registration.bulkRegister',
		{
			sessionId: byId(upcomingSession),
			fields: mapped({ email: '={{ $json.email }}', first_name: `=${expression}` }),
			options: { validateOnly: true },
		},
		{ items },
	);
	return records.map(({ name }) => name);
}

async function sync(people: readonly IDataObject[]): Promise<IDataObject[]> {
	const parameters = { sessionId: byId(otherSession), fields: mapped(null) };
	const { records, error } = await operate(sandbox, 'registration.sync', parameters, {
		items: people,
	});
	expect(error).toBeUndefined();
	return records;
}
