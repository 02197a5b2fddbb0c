import '../../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { fresh, makeRegistration } from '../../support/platform/platformRecords';
import { mapped, operate } from '../../support/n8n/operation';
import { upcomingSession } from '../../support/platform/seededIds';
import { byId } from '../../support/n8n/locators';

/** An answer that is not among the choices of the form, in each operation that sends answers. */

const sandbox = sandboxOfFile();

const noChoice = `"7 people" is not a choice of 'Team Size'. It has 1-10, 11-100, 100+.`;
const leftOut = (which: string) =>
	`Answers left out, because the form does not offer them: ${which}.`;

function person(more: IDataObject = {}): IDataObject {
	const email = `${fresh('choice')}@example.com`;
	const names = { first_name: 'Ada', last_name: 'Lovelace', company: 'Engines' };
	return { email, ...names, team_size: '7 people', ...more };
}

function run(operation: string, items: IDataObject[], options: object = {}, more: object = {}) {
	const of = { sessionId: byId(upcomingSession), fields: mapped(null), options, ...more };
	return operate(sandbox, `registration.${operation}`, of, { items });
}

describe.each([
	['bulkRegister', 'registered'],
	['sync', 'added'],
])('in a list (%s)', (operation, registered) => {
	const people = () => [person(), person({ team_size: '1-10' }), person()];

	test('makes the person invalid, unless told otherwise', async () => {
		const { records } = await run(operation, people());
		expect(records.map(({ status, reason }) => [status, reason])).toEqual([
			['invalid', noChoice],
			[registered, null],
			['invalid', noChoice],
		]);
	});

	test('is left out where that is wanted, and a hint names the question and how many people', async () => {
		const options = { unknownChoices: 'leaveOut' };
		const { records, hints } = await run(operation, people(), options);
		expect(records.map(({ status }) => status)).toEqual([registered, registered, registered]);
		expect(hints).toContain(leftOut("'Team Size' for 2 people (Ada Lovelace, Ada Lovelace)"));
		expect(hints.join()).not.toContain('7 people');
	});

	test('is for the platform to judge where that is wanted', async () => {
		const { records } = await run(operation, people(), { unknownChoices: 'send' });
		expect(records.map(({ status }) => status)).toEqual(['failed', registered, 'failed']);
	});
});

describe('of one person', () => {
	test('is refused, left out or sent by Register', async () => {
		const refused = await run('register', [person()]);
		expect(`${refused.error?.message}.`).toBe(noChoice);
		const { records, hints } = await run('register', [person()], { unknownChoices: 'leaveOut' });
		expect(records).toMatchObject([{ status: 'registered', company: 'Engines' }]);
		expect(hints).toEqual([leftOut("'Team Size' for 1 person (Ada Lovelace)")]);
		const sent = await run('register', [person()], { unknownChoices: 'send' });
		expect(sent.error?.message).toMatch(/'7 people' is not a choice of the field 'team_size'/);
	});

	test('is left out by Update, which changes the others', async () => {
		const email = `${fresh('choice')}@example.com`;
		await makeRegistration(sandbox, upcomingSession, email);
		const changes = { email, company: 'Looms', team_size: '7 people' };
		const by = { by: 'email', email };
		const refused = await run('update', [changes], {}, by);
		expect(`${refused.error?.message}.`).toBe(noChoice);
		const options = { unknownChoices: 'leaveOut' };
		const { records, hints } = await run('update', [changes], options, by);
		expect(records).toMatchObject([{ status: 'updated', company: 'Looms' }]);
		expect(hints).toEqual([
			expect.stringMatching(/^Answers left out, .*'Team Size' for 1 person \(choice-\S+\)\.$/),
		]);
	});
});
