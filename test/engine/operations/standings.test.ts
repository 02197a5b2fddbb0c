import { startPlatform } from '../../support/n8n/startPlatform';
import { operate } from '../../support/n8n/operation';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { byId } from '../../support/n8n/locators';
import { heldSession, upcomingSession } from '../../support/platform/seededIds';

/** How Session → Get People tells team members from registrants. */

const sandbox = sandboxOfFile({ rate: 0 });

beforeAll(async () => {
	await sandbox.register('ada@example.com');
});

const people = (parameters: object, items = [{}]) =>
	operate(sandbox, 'session.getPeople', { sessionId: byId(heldSession), ...parameters }, { items });
const said = expect.stringMatching(/^Of these 5 people, 1 is a team member\. /) as string;

test('a hint counts team members, whatever fields are shown and whether records are simplified', async () => {
	for (const more of [{}, { options: { fields: ['email'] } }, { simplify: false }]) {
		const { hints, records } = await people({ returnAll: true, ...more });
		expect(records).toHaveLength(5);
		expect(hints).toEqual([said]);
	}
});

test('it counts those that are shown, of all items together', async () => {
	const { hints } = await people({ limit: 2 }, [{}, {}]);
	expect(hints).toContainEqual(expect.stringMatching(/^Of these 4 people, 2 are team members\. /));
	const asked = { returnAll: true, filters: { askedQuestion: false } };
	expect((await people(asked)).hints).toEqual([
		expect.stringMatching(/^Of these 2 people, 1 is a team member\. /),
	]);
});

test.each([{ filters: { role: 'team_member' } }, { filters: { role: 'participant' } }])(
	'it says nothing where people chose the role: %j',
	async (parameters) => {
		expect((await people({ returnAll: true, ...parameters })).hints).toEqual([]);
	},
);

test('it counts guests beside the team', async () => {
	const roles = ['team_member', 'team_member', 'guest', 'participant'];
	const data = roles.map((role, index) => {
		const registration = { is_guest_speaker: role === 'guest' };
		return {
			type: 'people',
			id: `p${index}`,
			attributes: { role, registrant_detail: registration },
		};
	});
	const platform = await startPlatform((response) => response.end(JSON.stringify({ data })));
	const parameters = { sessionId: byId(heldSession), returnAll: true };
	const { hints } = await operate(platform, 'session.getPeople', parameters);
	expect(hints).toEqual([
		"Of these 4 people, 2 are team members and 1 is a guest speaker. If you count who attended, leave them out, as 'Get Report' does.",
	]);
});

test('a single person who is no registrant is spoken of as one', async () => {
	const data = [{ type: 'people', id: 'p', attributes: { role: 'team_member' } }];
	const { credential } = await startPlatform((response) => response.end(JSON.stringify({ data })));
	const { hints } = await operate(
		sandbox,
		'session.getPeople',
		{ sessionId: byId(heldSession), returnAll: true },
		{ credential },
	);
	expect(hints).toEqual([
		"This person is a team member. If you count who attended, leave them out, as 'Get Report' does.",
	]);
});

test('it says nothing where everybody is a registrant', async () => {
	const { hints, records } = await people({ sessionId: byId(upcomingSession), returnAll: true });
	expect([hints, records.length]).toEqual([[], 1]);
});
