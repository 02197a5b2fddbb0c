import type { IDataObject } from 'n8n-workflow';
import { clockTime } from '../../../nodes/EventPlatform/core/values/dates';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { makeEvent, makeSession } from '../../support/platform/platformRecords';
import { operate } from '../../support/n8n/operation';
import { byId } from '../../support/n8n/locators';

const sandbox = sandboxOfFile();
let eventId: string;

beforeAll(async () => {
	eventId = await makeEvent(sandbox);
});

const create = (estimatedStartedAt: string, timezone = 'Europe/Paris') =>
	operate(sandbox, 'session.create', { eventId: byId(eventId), estimatedStartedAt, timezone });

test('a session that is planned in the past is made, and people are told', async () => {
	const { records, hints } = await create('2021-03-01T10:00:00');
	expect(records).toHaveLength(1);
	expect(hints).toEqual([
		"The start 2021-03-01 10:00 (Europe/Paris) is in the past. Correct the date or the time zone with 'Update'.",
	]);
	expect((await create('2091-03-01T10:00:00')).hints).toEqual([]);
});

test('a session that is moved is judged on its own clock, by the answer to the change', async () => {
	const sessionId = byId(await makeSession(sandbox));
	const move = (zone: string, hours: number) => {
		const estimatedStartedAt = clockTime(Date.now() + hours * 3_600_000, zone).replace(' ', 'T');
		const updateFields = { estimatedStartedAt };
		return operate(sandbox, 'session.update', { sessionId, updateFields });
	};
	// On the clock of the workflow, which is behind, this start is still to come.
	const moved = await move('Europe/Paris', -3);
	expect(moved.hints).toEqual([
		expect.stringMatching(
			/^The start [\d :-]+ \(Europe\/Paris\) is in the past\. Correct the date or the time zone with 'Update'\.$/,
		),
	]);
	expect(moved.sent).toHaveLength(1);
	expect((await move('Europe/Paris', 3)).hints).toEqual([]);
});

test('the same is told where a session is moved, and where it comes with a new event', async () => {
	const sessionId = byId(await makeSession(sandbox));
	const updateFields = { estimatedStartedAt: '2021-03-01T10:00:00Z' };
	const moved = await operate(sandbox, 'session.update', { sessionId, updateFields });
	expect(moved.hints).toEqual([expect.stringContaining('is in the past')]);
	const sessions = { session: [{ estimatedStartedAt: '2021-03-01T10:00:00', timezone: 'UTC' }] };
	const made = await operate(sandbox, 'event.create', { title: 'Old', sessions });
	expect(made.hints).toEqual([expect.stringContaining('is in the past')]);
});

test('an event is not made where one of its sessions would have no date, such as of an empty cell', async () => {
	const sessions = { session: [{ estimatedStartedAt: '={{ $json.start }}' }] };
	for (const start of ['', ' ', null, undefined]) {
		const scene = { items: [{ start }] as IDataObject[] };
		const made = await operate(sandbox, 'event.create', { title: 'Series', sessions }, scene);
		expect(made.error?.message).toBe("'Start' is empty");
		expect(made.sent).toEqual([]);
	}
});

test.each([
	['Paris', "Did you mean 'Europe/Paris'?"],
	['new york', "Did you mean 'America/New_York'?"],
	['Middle/Earth', 'Give the name of a time zone'],
	['DEFAULT', 'Give the name of a time zone'],
])(
	'a time zone that does not exist is refused with the one that is meant: %s',
	async (zone, next) => {
		const { error, sent } = await create('2091-03-01T10:00:00', zone);
		expect(error?.message).toBe(`There is no time zone "${zone}"`);
		expect(error?.description).toContain(next);
		expect(sent).toEqual([]);
	},
);
