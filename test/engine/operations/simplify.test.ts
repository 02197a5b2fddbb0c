import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { makeJob, makeSession } from '../../support/platform/platformRecords';
import { operate } from '../../support/n8n/operation';
import { heldSession, upcomingSession } from '../../support/platform/seededIds';
import { byId } from '../../support/n8n/locators';

const sandbox = sandboxOfFile();

const ofHeld = { sessionId: byId(heldSession) };
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

test('who attended stands on top, everything is flat, and nothing logs anybody in', async () => {
	const everything = { ...ofHeld, options: { fields: ['all'] } };
	const people = await run('session.getPeople', everything);
	expect(people[0]).toMatchObject({
		attended: expect.any(Boolean) as boolean,
		attendance_rate: expect.any(Number) as number,
		attendance_minutes: expect.any(Number) as number,
		registrant_created_at: expect.stringMatching(iso) as string,
	});
	expect(people[0]).not.toHaveProperty('registrant_detail');
	for (const value of people.flatMap(Object.values))
		expect(typeof (value ?? '')).not.toBe('object');
	const raw = await run('session.getPeople', { ...everything, simplify: false });
	const secrets = [
		...JSON.stringify(raw).matchAll(/"(?:connection_link|password_key)":"([^"]+)"/g),
	];
	expect(secrets.length).toBeGreaterThan(1);
	for (const [, secret] of secrets) expect(JSON.stringify(people)).not.toContain(secret);
});

test('the URLs of webhooks have no key of a trigger, which starts its workflow, simplified or not', async () => {
	const address = 'https://n8n.example.com/webhook/a?event=job.ended&key=';
	await sandbox.subscribe(`${address}s3cret`, 'job.ended');
	for (const simplify of [true, false]) {
		const webhooks = JSON.stringify(await run('webhook.getAll', { returnAll: true, simplify }));
		expect(webhooks).toContain(`${address}…`);
		expect(webhooks).not.toContain('s3cret');
	}
});

test('not simplified, a record is exactly as the platform sends it', async () => {
	const { data } = await sandbox.api.get<{ data: unknown[] }>(`/sessions/${heldSession}/people`);
	const sent = (data.data as Array<{ id: string }>).map((record) => JSON.stringify(record));
	const raw = { ...ofHeld, simplify: false, options: { fields: 'id' } };
	const items = await run('session.getPeople', raw);
	expect(items.map((record) => JSON.stringify(record))).toEqual(sent);
});

test('as sent, all that gives access stands where n8n is told that it is sensitive', async () => {
	const raw = { simplify: false };
	const jobId = await makeJob(sandbox, await makeSession(sandbox));
	const outputs = await Promise.all([
		run('session.getPeople', { ...ofHeld, ...raw }),
		run('session.getRecordings', { ...ofHeld, ...raw }),
		run('session.get', { ...ofHeld, ...raw, options: { include: ['people', 'recordings'] } }),
		run('job.getTasks', { jobId, ...raw }),
	]);
	const { sensitiveOutputFields = [] } = new EventPlatform().description;
	for (const items of outputs) {
		expect(JSON.stringify(items)).toMatch(/password_key":"|"url":"/);
		for (const item of items) for (const path of sensitiveOutputFields) hide(item, path.split('.'));
		expect(JSON.stringify(items)).not.toMatch(/(?:connection_link|password_key|"url)":"/);
	}
});

describe('a field that was asked for by name', () => {
	const hintsOf = async (fields: unknown, more: object = {}, items = [{}]) => {
		const of = { ...ofHeld, options: { fields }, ...more };
		const { hints, records, error } = await operate(sandbox, 'session.getPeople', of, { items });
		expect(error).toBeUndefined();
		expect(records.length).toBeGreaterThan(0);
		return hints.filter((hint) => hint.includes('field'));
	};

	test.each([
		[['email', 'attended', 'fields', 'registrant']],
		[['all', 'anything']],
		['email, attended'],
		[[]],
	])('is there, and nothing is said: %j', async (fields) => {
		expect(await hintsOf(fields)).toEqual([]);
	});

	test('and is in no record is named once a run, with the nearest one', async () => {
		expect(await hintsOf(['emial', 'zodiac_sign'], {}, [{}, {}])).toEqual([
			"No record has the field 'emial', so its column is empty. Did you mean 'email'?",
			"No record has the field 'zodiac_sign', so its column is empty.",
		]);
	});

	test('and is in the records of another item alone is no mistake', async () => {
		const sessionId = byId('={{ $json.session }}');
		await sandbox.register('ada@example.com', { company: 'Engines' });
		const items = [{ session: heldSession }, { session: upcomingSession }];
		expect(await hintsOf(['company'], { sessionId }, items)).toEqual([]);
		expect(await hintsOf(['company'], { sessionId }, items.slice(0, 1))).toHaveLength(1);
	});

	test.each(['connection_link', 'password_key'])(
		'and logs a person in is withheld on purpose: %s',
		async (name) => {
			expect(await hintsOf(['email', name])).toEqual([
				`The field '${name}' is withheld on purpose, because it logs a person in. Without 'Simplify' the records have it as the platform sends it.`,
			]);
			expect(await hintsOf(['email', name], { simplify: false })).toEqual([]);
		},
	);
});

/** Follows a path as n8n's own redaction does, and hides the values at its end. */
function hide(value: unknown, [step = '', ...rest]: string[]): void {
	if (typeof value !== 'object' || value === null) return;
	const record = value as Record<string, unknown>;
	if (step.endsWith('[*]')) {
		const list = record[step.slice(0, -3)];
		for (const part of Array.isArray(list) ? list : []) hide(part, rest);
	} else if (rest.length > 0) hide(record[step], rest);
	else if (step in record) record[step] = null;
}

async function run(name: string, parameters: object) {
	const { records, error } = await operate(sandbox, name, parameters);
	expect(error).toBeUndefined();
	return records;
}
