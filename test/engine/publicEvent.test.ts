import '../support/time/fasterClock';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { bulkRegister, numberedPeople, statusesOf } from '../support/runs/bulkScene';
import { rewrittenSandbox } from '../support/platform/rewrittenSandbox';
import { sandboxOfFile } from '../support/platform/sandbox';
import { mapped, operate } from '../support/n8n/operation';
import { registered } from '../support/platform/registrants';
import { upcomingSession } from '../support/platform/seededIds';
import { seededId } from '../../sandbox/seed/ids';
import { tokenCredential } from '../support/n8n/engineConsent';
import { eventually } from '../support/time/eventually';
import { byId } from '../support/n8n/locators';

/** Its form has no email, and each registration makes a new person with an email that the platform makes up. */
const sandbox = sandboxOfFile({ rate: 1_000, publicEvent: true });
beforeEach(() => sandbox.reset());

const bulk = '/v1/sessions/:id/people/bulk';
const warning = /belongs to a public event.*People who are sent again are registered twice/;
const columns = ['email', 'first_name'].map((id) => ({ id, displayName: id, type: 'string' }));
const value = { email: '={{ $json.email }}', first_name: '={{ $json.first_name }}' };
/** The columns as the editor saves them, or the columns of the items. */
const mappings = {
	byHand: mapped(value, columns),
	automatically: mapped(null),
};

/** The run has not waited for a job whose answer got lost. */
const untilRegistered = (count: number): Promise<void> =>
	eventually(async () => (await registered(sandbox)).length === count);

test.each(['byHand', 'automatically'] as const)(
	'everybody is registered, mapped %s, and people are told that another run registers them twice',
	async (mapping) => {
		const parameters = { fields: mappings[mapping] };
		const { records, error, hints } = await bulkRegister(sandbox, numberedPeople(120), {
			parameters,
		});
		expect(error).toBeUndefined();
		expect(statusesOf(records)).toEqual({ registered: 120 });
		expect(hints.filter((words) => warning.test(words))).toHaveLength(1);
		expect(await registered(sandbox)).toHaveLength(120);
	},
);

test('where some of fifty are refused, everybody else is registered, and told so', async () => {
	const people = numberedPeople(50).map((person, index) =>
		index % 20 === 7 ? { ...person, team_size: 'All of us' } : person,
	);
	const asked = { ...value, team_size: '={{ $json.team_size }}' };
	const parameters = { fields: mapped(asked) };
	const { items, records } = await bulkRegister(sandbox, people, { parameters });
	const refused = people.filter((person) => 'team_size' in person);
	expect(statusesOf(records)).toEqual({ registered: 50 - refused.length, failed: refused.length });
	const failed = items.filter(({ json }) => json.status === 'failed');
	expect(failed.map(({ json }) => json.email)).toEqual(refused.map(({ email }) => email));
	expect(await registered(sandbox)).toHaveLength(50 - refused.length);
});

test('the log says so before anybody is sent, because that cannot be taken back', async () => {
	const { store } = sandbox.platform;
	const jobsWhenTold: unknown[] = [];
	jest.spyOn(Container.get(Logger), 'warn').mockImplementation((line) => {
		const row = store.get('SELECT COUNT(*) AS jobs FROM jobs');
		if (warning.test(line)) jobsWhenTold.push(row?.jobs);
	});
	// The form is read for whole items.
	const parameters = { fields: mappings.automatically };
	await bulkRegister(sandbox, numberedPeople(3), { parameters });
	expect(jobsWhenTold).toEqual([0]);
	expect(await registered(sandbox)).toHaveLength(3);
});

test('Register says so of a session whose form it has read, also where the person is refused', async () => {
	const match = { method: 'POST', path: '/v1/sessions/:id/people' };
	await sandbox.faults([{ match, do: 'empty-403' }]);
	const of = { sessionId: byId(upcomingSession), fields: mappings.automatically };
	const { records, hints } = await operate(sandbox, 'registration.register', of, {
		items: numberedPeople(1),
		settings: { onError: 'continueRegularOutput' },
	});
	expect(records).toEqual([expect.objectContaining({ error: expect.any(String) as string })]);
	expect(hints).toEqual([expect.stringMatching(warning)]);
});

test('Validate Only says so, and sends nothing', async () => {
	const parameters = { fields: mappings.byHand, options: { validateOnly: true } };
	const { records, hints, writes } = await bulkRegister(sandbox, numberedPeople(3), { parameters });
	expect(statusesOf(records)).toEqual({ valid: 3 });
	expect(hints.filter((words) => warning.test(words))).toHaveLength(1);
	expect(writes).toEqual([]);
});

test('people whose answer got lost are not sent again', async () => {
	await sandbox.faults([{ match: { method: 'POST', path: bulk }, do: 'reset-after' }]);
	const parameters = { fields: mappings.byHand };
	const { records, writes } = await bulkRegister(sandbox, numberedPeople(60), { parameters });
	const { registered: good = 0, unknown = 0 } = statusesOf(records);
	expect(good + unknown).toBe(60);
	expect([10, 50]).toContain(unknown);
	const reasons = records.map(({ reason }) => reason).filter((reason) => reason !== null);
	expect(new Set(reasons)).toEqual(
		new Set([expect.stringMatching(/^Sent, but not confirmed\. The answer got lost, and nothing/)]),
	);
	expect(writes).toHaveLength(2);
	await untilRegistered(60);
});

test('where no form can be read, the list does not show people whose answer got lost, and they are not sent again', async () => {
	await sandbox.faults([
		{ match: { method: 'POST', path: bulk }, do: 'reset-after' },
		{ match: { method: 'GET', path: '/v1/sessions/:id' }, do: 'empty-403', times: 9 },
	]);
	const { records, writes } = await bulkRegister(sandbox, numberedPeople(5));
	expect(statusesOf(records)).toEqual({ unknown: 5 });
	expect(records[0]).toMatchObject({
		code: 'not_listed',
		reason: expect.stringContaining('send only those again who are not there') as string,
	});
	expect(writes).toHaveLength(1);
	await untilRegistered(5);
});

test('where no form can be read, the results show what the event does', async () => {
	await sandbox.changeWorld({ endpoints: 'specified' });
	const { records, hints } = await bulkRegister(sandbox, numberedPeople(60));
	expect(statusesOf(records)).toEqual({ registered: 60 });
	expect(hints.filter((words) => warning.test(words))).toHaveLength(1);
});

test('where the results name nobody, somebody of the team in the list is not the one who was registered', async () => {
	const people = [{ type: 'people', id: seededId('user', 2) }];
	const data = { type: 'sessions', attributes: {}, relationships: { people } };
	await sandbox.api.patch(`/sessions/${upcomingSession}`, { data });
	const unnamed = await rewrittenSandbox(sandbox, {
		answer: (text, { url }) => (/tasks/.test(url) ? text.replace(/attributes/g, 'hidden') : text),
	});
	const ofTeam = { email: 'marc.moderator@example.com', first_name: 'Marc', team_size: 'Many' };
	const { records, sent } = await bulkRegister(sandbox, [...numberedPeople(1), ofTeam], {
		parameters: { fields: mapped({ ...value, team_size: '={{ $json.team_size }}' }) },
		credential: tokenCredential(unnamed),
	});
	expect(records.map(({ status, code }) => [status, code])).toEqual(
		Array(2).fill(['unknown', 'not_assignable']),
	);
	expect(sent.at(-1)).toContain(`filter[email]=${ofTeam.email}`);
});
