import '../support/time/fasterClock';
import { mapped, operate } from '../support/n8n/operation';
import {
	bulkRegister,
	numberedPeople,
	emailsOf,
	statusesOf,
	sync,
} from '../support/runs/bulkScene';
import { sandboxOfFile } from '../support/platform/sandbox';
import { byId } from '../support/n8n/locators';
import { registered } from '../support/platform/registrants';
import { upcomingSession } from '../support/platform/seededIds';

/** A platform that differs from the specification in all the ways that public clients have met. */
const sandbox = sandboxOfFile({ world: 'wild', rate: 1_000 });
beforeEach(() => sandbox.reset());

test('in the wild world a list is registered once, and each person has the own result', async () => {
	const registeredEmail = 'p17@example.com';
	await sandbox.register(registeredEmail);
	const people = [...numberedPeople(60), { email: 'refused@a_host.example', first_name: 'Ada' }];
	const { records, error } = await bulkRegister(sandbox, people);
	expect(error).toBeUndefined();
	expect(statusesOf(records)).toEqual({ registered: 59, already_registered: 1, failed: 1 });
	expect(records[17]).toMatchObject({ email: registeredEmail, status: 'already_registered' });
	expect(records[60]).toMatchObject({ email: 'refused@a_host.example', status: 'failed' });
	// While the list is read, this world adds somebody else.
	const ofTheList = (await registered(sandbox)).filter((email) => /^p\d/.test(email));
	expect(ofTheList).toEqual(emailsOf(numberedPeople(60)));
});

test('in the wild world the people of a session become those of a list', async () => {
	for (const { email } of numberedPeople(3)) await sandbox.register(email);
	const list = [...numberedPeople(2), { email: 'new@example.com', first_name: 'New' }];
	const { records } = await sync(sandbox, list, { removeOthers: true, mostRemovals: 1 });
	expect(records.map(({ email, status }) => [email, status])).toEqual([
		['p0@example.com', 'updated'],
		['p1@example.com', 'updated'],
		['new@example.com', 'added'],
		['p2@example.com', 'removed'],
	]);
});

test('in the wild world a person is registered once, and an update is believed when it shows', async () => {
	const email = 'ada@example.com';
	const of = { sessionId: byId(upcomingSession), fields: mapped({ email }) };
	const register = async () => (await operate(sandbox, 'registration.register', of)).records;
	expect(await register()).toMatchObject([{ status: 'registered', email }]);
	expect(await register()).toMatchObject([{ status: 'already_registered', email }]);
	const changed = { ...of, by: 'email', email, fields: mapped({ company: 'Acme' }) };
	const { records } = await operate(sandbox, 'registration.update', changed);
	expect(records).toMatchObject([{ status: 'updated', email, company: 'Acme' }]);
});
