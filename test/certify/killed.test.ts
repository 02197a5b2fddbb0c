import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certify } from '../../certify/certify';
import type { SendAs } from '../../certify/send';
import { startProgram } from '../support/runs/program';
import type { TestSandbox } from '../support/platform/sandbox';
import { cleaned, fullSandbox, partsFor } from './certifyRun';
import { eventually } from '../support/time/eventually';

type Moment = 'before it leaves' | 'before its answer is read';

const moments: readonly Moment[] = ['before it leaves', 'before its answer is read'];
/** Bulk requests and registrations among them. */
const writes = 23;

/** Everything but the people whom the workspace goes on knowing, which no request removes. */
function workspace({ platform: { store } }: TestSandbox): unknown {
	const of = (sql: string) => store.all(sql);
	return {
		events: of('SELECT id, title, description, status FROM events ORDER BY id'),
		tagged: of('SELECT * FROM event_tags'),
		tags: of('SELECT title FROM tags'),
		sessions: of('SELECT id, name, estimated_started_at FROM sessions ORDER BY id'),
		registrations: of('SELECT session_id, person_id, fields FROM registrations ORDER BY seq'),
		webhooks: of('SELECT url, event FROM webhooks'),
		users: of('SELECT id FROM users'),
	};
}

/** A process that is killed sends nothing more and reads nothing more: what it has is what is on disk. */
function killedAt(write: number, moment: Moment, send: SendAs) {
	let seen = 0;
	let killed = () => {};
	const death = new Promise<void>((resolve) => (killed = resolve));
	const never = new Promise<never>(() => {});
	const dying: SendAs = async (request, ...rest) => {
		const isMoment = request.method !== 'GET' && ++seen === write;
		if (isMoment && moment === 'before its answer is read') await send(request, ...rest);
		if (isMoment) killed();
		return isMoment ? never : send(request, ...rest);
	};
	return { dying, death };
}

/** Tells of each request that writes before it leaves. */
const telling =
	(send: SendAs, tell: (method: string) => void): SendAs =>
	(request, ...rest) => {
		if (request.method !== 'GET') tell(request.method);
		return send(request, ...rest);
	};

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await fullSandbox();
});

test('so many requests write', async () => {
	let count = 0;
	const parts = partsFor(sandbox.baseUrl);
	await certify({ ...parts, send: telling(parts.send, () => count++) });
	expect(count).toBe(writes);
});

describe.each(moments)('killed %s', (moment) => {
	test.each(Array.from({ length: writes }, (_, at) => at + 1))(
		'at write %i: --clean removes all that was made, and nothing else',
		async (write) => {
			const before = workspace(sandbox);
			const parts = partsFor(sandbox.baseUrl);
			const { dying, death } = killedAt(write, moment, parts.send);
			const run = certify({ ...parts, send: dying });
			await Promise.race([death, run]);
			const { left } = await cleaned(parts);
			expect(left).toBe(0);
			expect(readdirSync(parts.journals)).toEqual([]);
			expect(workspace(sandbox)).toEqual(before);
		},
	);
});

test('cancelled in the middle: what was made is removed before it ends', async () => {
	const before = workspace(sandbox);
	const stop = new AbortController();
	const parts = partsFor(sandbox.baseUrl, { signal: stop.signal });
	let seen = 0;
	const send = telling(parts.send, (method) => method === 'POST' && ++seen === 4 && stop.abort());
	const { isClean, ended } = await certify({ ...parts, send });
	expect({ isClean, ended }).toEqual({ isClean: true, ended: 'it was stopped' });
	expect(workspace(sandbox)).toEqual(before);
});

test('a record that does not carry the mark any more is left alone, and so is the journal', async () => {
	const parts = partsFor(sandbox.baseUrl);
	const { dying, death } = killedAt(2, 'before it leaves', parts.send);
	void certify({ ...parts, send: dying });
	await death;
	const { store } = sandbox.platform;
	store.write("UPDATE events SET title = 'Taken over by somebody' WHERE title LIKE 'Certify%'");
	expect(await cleaned(parts)).toMatchObject({ removed: 0, left: 1, elsewhere: 0 });
	expect(store.all("SELECT 1 FROM events WHERE title LIKE 'Taken over%'").length).toBe(1);
	store.write("DELETE FROM events WHERE title LIKE 'Taken over%'");
});

test('an answer with the id of somebody else makes nothing of theirs ours', async () => {
	const before = workspace(sandbox);
	const parts = partsFor(sandbox.baseUrl);
	const strange: SendAs = async (request, ...rest) => {
		const answer = await parts.send(request, ...rest);
		if (request.method === 'POST' && request.path === '/events' && 'status' in answer) {
			const event = sandbox.platform.store.all('SELECT id, title FROM events')[0];
			const attributes = { title: event?.['title'] };
			return { ...answer, body: { data: { id: event?.['id'], type: 'events', attributes } } };
		}
		return answer;
	};
	const { isClean } = await certify({ ...parts, send: strange });
	expect(isClean).toBe(true);
	expect(workspace(sandbox)).toEqual(before);
});

test('killed as a process, and cleaned by the command: the token is in no file, output or list of processes', async () => {
	const own = await fullSandbox({ rate: 5, taskMs: 20 });
	const before = workspace(own);
	const folder = mkdtempSync(join(tmpdir(), 'certify-process-'));
	const journals = join(folder, 'journals');
	const command = (...words: string[]) => {
		const files = ['--journals', journals, '--report', join(folder, 'report')];
		const env = { EVENT_PLATFORM_TOKEN: 'sandbox-token' };
		return startProgram('certify/main.ts', ['--base-url', own.baseUrl, ...files, ...words], {
			env,
		});
	};
	const first = command('--write', '--mailbox', 'you@example.com', '--yes', '--spend-more');
	await eventually(
		() => own.platform.store.all("SELECT 1 FROM sessions WHERE name LIKE 'Certify%'").length > 0,
	);
	const listed = readFileSync(`/proc/${first.child.pid}/cmdline`, 'utf8');
	first.child.kill('SIGKILL');
	await first.ended;
	expect(workspace(own)).not.toEqual(before);
	const files = readdirSync(journals).map((name) => readFileSync(join(journals, name), 'utf8'));
	const made = workspace(own);
	// Nobody is there who could agree.
	const asking = command('--clean');
	expect(await asking.ended).toBe(3);
	expect(asking.printed()).toContain('this would be removed');
	expect(workspace(own)).toEqual(made);
	const second = command('--clean', '--yes');
	expect(await second.ended).toBe(0);
	expect(workspace(own)).toEqual(before);
	const printed = [first, asking, second].map((program) => program.printed());
	const everything = [listed, ...files, ...printed].join('\n');
	expect(everything).not.toContain(own.apiToken);
});
