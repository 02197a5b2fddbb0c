import type { INodeParameters } from 'n8n-workflow';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { fresh, makeUser } from '../../support/platform/platformRecords';
import { operate } from '../../support/n8n/operation';
import { seededEvent } from '../../support/platform/seededIds';
import { byId } from '../../support/n8n/locators';

const sandbox = sandboxOfFile();

/** n8n's workflow builder may write an expression in place of a whole locator, and n8n runs any text there. */
const forms: Array<[string, (id: string) => INodeParameters | string]> = [
	['a text in place of a locator', (id) => id],
	['an expression in place of a locator', (id) => `={{ '${id}' }}`],
	['a locator whose value was chosen from the list', (id) => byId(id, 'list')],
];

describe.each(forms)('%s', (_, saved) => {
	test('a user is deleted', async () => {
		const id = await makeUser(sandbox);
		expect(await run('user.delete', { userId: saved(id) })).toEqual([{ deleted: true, id }]);
	});

	test('a session has its time zone', async () => {
		const added = await run('session.create', {
			eventId: byId(seededEvent),
			estimatedStartedAt: '2027-03-01T10:00:00',
			timezone: saved('Asia/Tokyo'),
		});
		expect(added).toMatchObject([{ timezone: 'Asia/Tokyo' }]);
	});

	test('an event has its owner, what it copies, and the time zone of its session', async () => {
		const owner = await makeUser(sandbox);
		const session = { estimatedStartedAt: '2027-03-01T10:00:00', timezone: saved('Asia/Tokyo') };
		const [event] = await run('event.create', {
			title: fresh('Copy'),
			sessions: { session: [session] },
			options: { fields: ['all'] },
			additionalFields: { ownerId: saved(owner), copyFromEventId: saved(seededEvent) },
		});
		expect(event).toMatchObject({ owner_id: owner, sessions: [{ timezone: 'Asia/Tokyo' }] });
		expect(JSON.stringify(event?.fields)).toContain('"company"');
	});
});

test('an owner that was added and left empty is left out of a new event', async () => {
	const additionalFields = { ownerId: byId('', 'list') };
	expect(await run('event.create', { title: fresh('Event'), additionalFields })).toHaveLength(1);
});

test.each([
	['Copy From Event', { copyFromEventId: byId('={{ $json.template }}') }],
	['Copy From Event', { copyFromEventId: '={{ $json.template }}' }],
	['Owner', { ownerId: byId('={{ $json.owner }}', 'list') }],
])(
	"'%s' whose expression %j gives nothing is an error before anything is sent",
	async (title, of) => {
		const parameters = { title: fresh('Event'), additionalFields: { ...of, status: 'published' } };
		const { error, sent } = await operate(sandbox, 'event.create', parameters);
		expect(error?.message).toBe(`'${title}' is empty`);
		expect(sent).toEqual([]);
	},
);

/** n8n refuses to run what it takes issue with. */
async function run(name: string, parameters: object) {
	const { records, error } = await operate(sandbox, name, parameters);
	if (error) throw error;
	return records;
}
