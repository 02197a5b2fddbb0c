import '../../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { fresh, makeEvent, makeSession } from '../../support/platform/platformRecords';
import { mapped, operate } from '../../support/n8n/operation';
import { byId } from '../../support/n8n/locators';

/** These tests look at the hints that people get about a run, beside its output. */

const sandbox = sandboxOfFile({ rate: 0 });
/** Its form asks for the email and the names. */
let session: string;

beforeEach(async () => {
	session = await makeSession(sandbox);
});

function people(...companies: string[]): IDataObject[] {
	const email = () => `${fresh('told')}@example.com`;
	return companies.map((company) => ({ email: email(), name: 'Ada', company }));
}

const notAsked = (which: string) =>
	`The registration form of the session does not ask for ${which}. These answers are sent all the same, and the platform may drop or refuse them. Check that the columns of the node belong to this session.`;

test('of hundreds of columns that the form does not ask for, those are named that may mean a question', async () => {
	const crmColumns = Object.fromEntries(
		Array.from({ length: 300 }, (_, nth) => [`crm_${nth}`, 'x']),
	);
	const form = { fields: ['email', 'company'].map((id) => ({ id, type: 'text' })) };
	const of = { sessionId: byId(await makeSession(sandbox, await makeEvent(sandbox, form))) };
	const items = [
		{ email: `${fresh('wide')}@example.com`, ...crmColumns, 'Company (HQ)': 'Engines' },
	];
	const { hints } = await operate(
		sandbox,
		'registration.bulkRegister',
		{ ...of, fields: mapped(null) },
		{ items },
	);
	expect(hints[1]).toMatch(
		/^Not on .* ignored: 'Company \(HQ\)' \(did you mean 'Company'\?\), 'crm_0', .* and 271 more\. It asks/,
	);
});

describe('columns that were mapped for the form of another session', () => {
	/** Its form requires a company, which nobody maps, and asks for no team size. */
	let asksForCompany: string;
	const strangers = { email: '={{ $json.email }}', team_size: '1-10', shoes: '43' };
	const saved = [
		{ id: 'email', displayName: 'Email', type: 'string' },
		{ id: 'team_size', displayName: 'Team Size (required)', type: 'string' },
	];

	beforeAll(async () => {
		const required = (id: string, order: number) => ({ id, type: 'text', required: true, order });
		const fields = [required('email', 0), required('company', 1)];
		asksForCompany = await makeSession(sandbox, await makeEvent(sandbox, { fields }));
	});

	function run(operation: string, options: object, session = asksForCompany, more = {}) {
		const of = { sessionId: byId(session), fields: mapped(strangers, saved), options, ...more };
		return operate(sandbox, `registration.${operation}`, of, { items: people('', '') });
	}

	const strange = notAsked("'Team Size' (2 people)");
	/** The hint about a value whose column is gone. A person who opens the node does not see the value. */
	const ignored =
		"Not on the registration form and therefore ignored: 'shoes' (2 people). It asks for 'Email', 'Company'.";
	const missing = (registered: string) =>
		expect.stringMatching(
			`^${registered} without answers that the form requires: 2 people \\(told\\S+, told\\S+\\) without 'Company'\\.$`,
		) as string;

	test.each([
		['bulkRegister', { validateOnly: true }],
		['sync', { dryRun: true }],
	])(
		'are named before anything is sent, with what is missing: %s %j',
		async (operation, options) => {
			const { hints, sent } = await run(operation, options);
			expect(hints).toEqual(
				expect.arrayContaining([ignored, strange, missing('People would be registered')]),
			);
			expect(sent.filter((request) => !request.startsWith('GET'))).toEqual([]);
			// The check of the session and that of the columns share what they read.
			const reads = sent.filter((request) =>
				request.startsWith(`GET /sessions/${asksForCompany}?`),
			);
			expect(reads).toHaveLength(1);
		},
	);

	test('are named by a Sync as well, which reads the sessions anyway', async () => {
		const { hints } = await run('sync', {});
		expect(hints).toEqual(expect.arrayContaining([ignored, strange, missing('Registered')]));
	});

	test('are judged by the platform in a Bulk Register, which reads no form', async () => {
		const { hints, sent } = await run('bulkRegister', {});
		expect(hints).toEqual([
			expect.stringMatching(/^2 registered/),
			expect.stringMatching(/ignored: 'shoes' \(2 people\)/),
		]);
		expect(sent).toHaveLength(2);
	});

	test('are sent where the form cannot be read for the moment, and a hint says that nobody checked them', async () => {
		const match = { method: 'GET', path: `/v1/sessions/${session}` };
		await sandbox.faults([{ match, do: '500', times: 20 }]);
		// A summary reads the session, whose name and date it shows.
		const output = { output: 'summary' };
		const { records, hints, sent } = await run('bulkRegister', {}, session, output);
		expect(records).toMatchObject([{ registered: 2 }]);
		expect(hints).toContainEqual(
			expect.stringMatching(
				/^The registration form could not be read, .* a server error \(500\)\.$/,
			),
		);
		// It is tried once for the run, as often as any request.
		expect(sent.filter((request) => request.startsWith('GET /sessions'))).toHaveLength(4);
		await sandbox.faults([]);
	});
});
