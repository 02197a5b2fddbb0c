import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { resources } from '../../../nodes/EventPlatform/resources';
import { seededId } from '../../../sandbox/seed/ids';
import { runWorkflow, tokenCredential } from '../../support/engine';
import { sandboxForTests, type TestSandbox } from '../../support/sandbox';
import { makeEvent, makeJob, makeRegistration, makeSession, makeUser, makeWebhook } from './making';
import { byId } from './operationCase';
import { schemaOf, type Schema } from './schema';

/**
 * What the editor shows of a node's output before the node has run: one schema for each operation, with its default
 * settings. `UPDATE_PREVIEWS=1` writes them anew from what the operations give on the sandbox.
 */
const folder = join(__dirname, '../../../nodes/EventPlatform/__schema__/v1.0.0');
const update = process.env.UPDATE_PREVIEWS === '1';

jest.setTimeout(60_000);

const node = new EventPlatform();
/** The session that was held, with everything that is left of a session, and its event. */
const held = seededId('session', 5);
let sandbox: TestSandbox;

beforeAll(async () => {
	// Limits, so that Get Usage has something to tell.
	sandbox = await sandboxForTests({ rate: 100, monthly: 10_000 });
});

const email = 'grace@example.com';
const fields = { mappingMode: 'defineBelow', value: { email }, schema: [] };

type Make = () => INodeParameters | Promise<INodeParameters>;

const newSession = async () => ({ sessionId: byId(await makeSession(sandbox)) });
const newEvent = async () => ({ eventId: byId(await makeEvent(sandbox)) });
const registered = async () => {
	const sessionId = await makeSession(sandbox);
	await makeRegistration(sandbox, sessionId, email);
	return { sessionId: byId(sessionId), email };
};
const ofHeld: Make = () => ({ sessionId: byId(held) });
const ofFirstEvent: Make = () => ({ eventId: byId(seededId('event', 1)) });
const newJob = async () => ({ jobId: await makeJob(sandbox, await makeSession(sandbox)) });
const none: Make = () => ({});

const operations: Record<string, Make> = {
	'account getMe': none,
	'account getOrganization': none,
	'account getUsage': none,
	'account ping': none,
	'event addTag': async () => ({ ...(await newEvent()), tag: 'customers' }),
	'event create': () => ({ title: 'Product demo' }),
	'event delete': newEvent,
	'event get': ofFirstEvent,
	'event getAll': none,
	'event getPeople': async () => {
		const eventId = await makeEvent(sandbox);
		await makeRegistration(sandbox, await makeSession(sandbox, eventId));
		return { eventId: byId(eventId) };
	},
	'event getSessions': ofFirstEvent,
	'event removeTag': async () => {
		const { eventId } = await newEvent();
		await run('event addTag', { eventId, tag: 'customers' });
		return { eventId, tag: 'customers' };
	},
	'event update': async () => ({ ...(await newEvent()), updateFields: { title: 'Demo' } }),
	'job get': newJob,
	'job getTasks': newJob,
	'job wait': newJob,
	'person get': async () => ({
		personId: byId(await makeRegistration(sandbox, await makeSession(sandbox))),
	}),
	'person getAll': none,
	'personAttribute getAll': none,
	'registration register': async () => ({ ...(await newSession()), fields }),
	'registration bulkRegister': async () => ({ ...(await newSession()), fields }),
	'registration get': registered,
	'registration sync': async () => ({ ...(await newSession()), fields }),
	'registration unregister': registered,
	'registration update': async () => ({
		...(await registered()),
		fields: { ...fields, value: { first_name: 'Grace' } },
	}),
	'session create': async () => ({
		...(await newEvent()),
		estimatedStartedAt: '2027-03-01T10:00:00Z',
	}),
	'session delete': newSession,
	'session downloadRecording': ofHeld,
	'session get': ofHeld,
	'session getAll': none,
	'session getChatMessages': ofHeld,
	'session getPeople': ofHeld,
	'session getQuestions': ofHeld,
	'session getRecordings': ofHeld,
	'session update': async () => ({ ...(await newSession()), updateFields: { name: 'Evening' } }),
	'user create': () => ({ email }),
	'user delete': async () => ({ userId: byId(await makeUser(sandbox)) }),
	'user getAll': none,
	'webhook create': () => ({ url: 'http://127.0.0.1:9/hook' }),
	'webhook delete': async () => ({ webhookId: byId(await makeWebhook(sandbox)) }),
	'webhook getAll': none,
};

test('every operation has a preview', () => {
	const all = resources.flatMap(({ value, operations }) =>
		operations.map((operation) => `${value} ${operation.value}`),
	);
	expect(Object.keys(operations).sort()).toEqual(all.sort());
});

test.each(Object.keys(operations))('the preview of %s is what it gives', async (name) => {
	const parameters = await operations[name]?.();
	const given = await run(name, parameters ?? {});
	expect(given.length).toBeGreaterThan(0);
	const file = join(folder, `${name.replace(' ', '/')}.json`);
	const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Schema) : undefined;
	const schema = schemaOf(given, known);
	if (update) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, `${JSON.stringify(schema, null, '\t')}\n`);
	} else {
		expect(known).toEqual(schema);
		expect(Object.keys(known?.properties ?? {})).toEqual(Object.keys(schema.properties ?? {}));
	}
});

async function run(name: string, parameters: INodeParameters): Promise<IDataObject[]> {
	const [resource = '', operation = ''] = name.split(' ');
	const { items, error } = await runWorkflow({
		node,
		credential: tokenCredential(sandbox),
		parameters: { resource, operation, ...parameters },
		items: [{ email }],
	});
	if (error) throw error;
	return items.map(({ json }) => json);
}
