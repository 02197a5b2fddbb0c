import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certify } from '../../certify/certify';
import type { Entry } from '../../certify/journal';
import { eventMark, personMark, sessionMark, webhookMark } from '../../certify/marks';
import { noteProcess } from '../../certify/running';
import type { SendAs } from '../../certify/send';
import type { TestSandbox } from '../support/platform/sandbox';
import { startProgram } from '../support/runs/program';
import { eventually } from '../support/time/eventually';
import { cleaned, fullSandbox, partsFor } from './certifyRun';

/* --clean removes only what carries a mark of this program, whatever a journal says. */

const run = '0123456789abcdef';
const anybody = { pid: 2 ** 22 + 1, startedAt: '' };

let sandbox: TestSandbox;
beforeEach(async () => {
	sandbox = await fullSandbox();
});

/** A folder with one journal of these lines; the first one is written here. */
function journalOf(lines: readonly string[], { name = run, process = anybody } = {}): string {
	const folder = mkdtempSync(join(tmpdir(), 'certify-forged-'));
	const head = JSON.stringify({ root: `${sandbox.baseUrl}/v1`, run, process });
	writeFileSync(join(folder, `${name}.jsonl`), `${[head, ...lines].join('\n')}\n`);
	return folder;
}

const line = (entry: Entry): string => JSON.stringify(entry);

function everything({ platform: { store } }: TestSandbox): unknown {
	return ['events', 'sessions', 'registrations', 'webhooks'].map((table) =>
		store.all(`SELECT * FROM ${table} ORDER BY rowid`),
	);
}

/** Requests that are no GET, as they left. */
function watched(send: SendAs): { send: SendAs; changes: string[] } {
	const changes: string[] = [];
	return {
		changes,
		send: (request, ...rest) => {
			if (request.method !== 'GET') changes.push(`${request.method} ${request.path}`);
			return send(request, ...rest);
		},
	};
}

describe('a journal that somebody else wrote', () => {
	const row = (sql: string): Record<string, unknown> => sandbox.platform.store.all(sql)[0] ?? {};

	test.each<[what: string, forged: () => Entry]>([
		[
			'a real event, by its title and id',
			() => {
				const { id, title } = row('SELECT id, title FROM events');
				return { kind: 'event', mark: String(title), id: String(id) };
			},
		],
		[
			'every event of a title',
			() => ({ kind: 'event', mark: String(row('SELECT title FROM events')['title']) }),
		],
		[
			'the webhook of another tool',
			() => ({ kind: 'webhook', mark: String(row('SELECT url FROM webhooks')['url']) }),
		],
		['the mark of another run', () => ({ kind: 'event', mark: eventMark('fedcba9876543210') })],
		['a mark with more behind it', () => ({ kind: 'session', mark: `${sessionMark(run)} ` })],
		[
			'a session under the mark of an event',
			() => ({ kind: 'session', mark: eventMark(run), id: '1' }),
		],
	])('names %s: nothing leaves but looks, and the line is told', async (_, forged) => {
		const before = everything(sandbox);
		const parts = partsFor(sandbox.baseUrl, { journals: journalOf([line(forged())]) });
		const { removed, left, suspectFiles } = await cleaned(parts);
		expect({ removed, left }).toEqual({ removed: 1, left: 0 });
		const file = join(parts.journals, `${run}.jsonl`);
		expect(suspectFiles).toEqual([{ kind: 'journal', file, refusedLines: 1 }]);
		expect(everything(sandbox)).toEqual(before);
		expect(existsSync(file)).toBe(true);
	});

	test('has the id of a real event under a mark of this program: the event stays', async () => {
		const before = everything(sandbox);
		const id = String(row('SELECT id FROM events')['id']);
		const journals = journalOf([line({ kind: 'event', mark: eventMark(run), id })]);
		expect(await cleaned(partsFor(sandbox.baseUrl, { journals }))).toMatchObject({ left: 1 });
		expect(everything(sandbox)).toEqual(before);
	});

	test('stands under another name than its digits: none of it is believed', async () => {
		const entry: Entry = { kind: 'event', mark: eventMark(run) };
		const journals = journalOf([line(entry)], { name: 'fedcba9876543210' });
		const { removed, left, suspectFiles } = await cleaned(partsFor(sandbox.baseUrl, { journals }));
		expect({ removed, left }).toEqual({ removed: 0, left: 0 });
		const file = join(journals, 'fedcba9876543210.jsonl');
		expect(suspectFiles).toEqual([{ kind: 'no journal', file }]);
	});

	test.each(['nonsense', '{"root":7}', '[]', 'null'])(
		'begins with %s: the other journals are cleaned all the same',
		async (first) => {
			const journals = journalOf([]);
			const file = join(journals, 'aaaaaaaaaaaaaaaa.jsonl');
			writeFileSync(file, `${first}\n`);
			const { removed, suspectFiles } = await cleaned(partsFor(sandbox.baseUrl, { journals }));
			expect(removed).toBe(1);
			expect(suspectFiles).toEqual([{ kind: 'no journal', file }]);
			expect(readdirSync(journals)).toEqual(['aaaaaaaaaaaaaaaa.jsonl']);
		},
	);
});

test.each<[string, boolean]>([
	[eventMark(run), true],
	[personMark(run, 'ada@example.com', 6), false],
])('a mark is one of its kind alone (%s)', async (mark, isEvent) => {
	const journals = journalOf([line({ kind: 'event', mark })]);
	const { suspectFiles } = await cleaned(partsFor(sandbox.baseUrl, { journals }));
	expect(suspectFiles.length === 0).toBe(isEvent);
});

/** A process that has ended, and whose parent does not ask for its exit code until `end`. */
async function unreaped(): Promise<{ pid: number; end: () => void }> {
	// `exec` puts a program in the place of the shell that knows nothing of the shell's child. Before that the shell itself would ask.
	const child = 'while [ "$(cat /proc/$$/comm)" = sh ]; do sleep 0.01; done';
	const parent = spawn('sh', ['-c', `${child} & echo $!; exec sleep 60`]);
	const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
	const pid = Number(String(printed));
	await eventually(() => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '));
	return { pid, end: () => parent.kill() };
}

/** Events that a killed run would have left. */
async function leaveEvents(count: number): Promise<void> {
	for (let made = 0; made < count; made++) {
		const attributes = { title: eventMark(run), status: 'draft' };
		await sandbox.api.post('/events', { data: { type: 'events', attributes } });
	}
}

const countOfMarked = (): number =>
	sandbox.platform.store.all("SELECT 1 FROM events WHERE title LIKE 'Certify%'").length;

test('a broken line in the middle spoils only itself', async () => {
	await leaveEvents(1);
	const journals = journalOf(['{"kind":"ev', line({ kind: 'event', mark: eventMark(run) })]);
	const { removed, suspectFiles } = await cleaned(partsFor(sandbox.baseUrl, { journals }));
	expect(removed).toBe(1);
	expect(suspectFiles).toMatchObject([{ kind: 'journal', refusedLines: 1 }]);
	expect(countOfMarked()).toBe(0);
});

test('what would be removed is shown, and without a yes nothing is removed', async () => {
	await leaveEvents(1);
	const journals = journalOf([line({ kind: 'event', mark: eventMark(run) })]);
	const { send, changes } = watched(partsFor(sandbox.baseUrl).send);
	const mayRemove = jest.fn<Promise<boolean>, [readonly Entry[]]>(() => Promise.resolve(false));
	const result = await cleaned(partsFor(sandbox.baseUrl, { journals, send }), mayRemove);
	expect(mayRemove.mock.calls).toEqual([[[{ kind: 'event', mark: eventMark(run) }]]]);
	expect(result).toMatchObject({ removed: 0, left: 1 });
	expect({ changes, left: countOfMarked() }).toEqual({ changes: [], left: 1 });
	expect(readdirSync(journals)).toEqual([`${run}.jsonl`]);
});

describe('a run that still goes on', () => {
	/** A process that does nothing until it is ended. */
	const waiting = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);

	test('is left alone by --clean, and cleaned once its process has ended', async () => {
		await leaveEvents(1);
		const child = waiting();
		const noted = noteProcess(child.pid ?? 0);
		const journals = journalOf([line({ kind: 'event', mark: eventMark(run) })], { process: noted });
		const parts = partsFor(sandbox.baseUrl, { journals });
		expect(await cleaned(parts)).toMatchObject({ inUse: 1, removed: 0, left: 0 });
		expect(countOfMarked()).toBe(1);
		const ended = new Promise((resolve) => child.on('exit', resolve));
		child.kill();
		await ended;
		expect(await cleaned(parts)).toMatchObject({ inUse: 0, removed: 1 });
		expect(countOfMarked()).toBe(0);
	});

	test('is over when its process is dead, although nobody has asked for its exit code', async () => {
		await leaveEvents(1);
		const { pid, end } = await unreaped();
		const journals = journalOf([line({ kind: 'event', mark: eventMark(run) })], {
			process: noteProcess(pid),
		});
		const result = await cleaned(partsFor(sandbox.baseUrl, { journals }));
		end();
		expect(result).toMatchObject({ inUse: 0, removed: 1 });
		expect(countOfMarked()).toBe(0);
	});

	test('makes --clean end with 3: what it made is still there', async () => {
		const child = waiting();
		const journals = journalOf([], { process: noteProcess(child.pid ?? 0) });
		const args = ['--base-url', sandbox.baseUrl, '--journals', journals, '--clean', '--yes'];
		const { ended, printed } = startProgram('certify/main.ts', args, {
			env: { EVENT_PLATFORM_TOKEN: sandbox.apiToken },
		});
		const code = await ended;
		child.kill();
		expect(printed()).toContain('1 runs still go on');
		expect(code).toBe(3);
	});

	test('is over when another process has its number', async () => {
		const child = waiting();
		// This process has started at another moment than its child.
		const { startedAt } = noteProcess(process.pid);
		const journals = journalOf([], { process: { pid: child.pid ?? 0, startedAt } });
		const result = await cleaned(partsFor(sandbox.baseUrl, { journals }));
		child.kill();
		expect(result).toMatchObject({ inUse: 0, removed: 1 });
	});
});

describe('it says that something is removed only after it has looked', () => {
	const isDelete = ({ method }: { method: string }) => method === 'DELETE';

	/** A platform that answers each DELETE, and removes nothing. */
	const lying =
		(send: SendAs, status: number): SendAs =>
		async (request, ...rest) =>
			isDelete(request) ? { status, headers: {}, body: {} } : await send(request, ...rest);

	test.each([204, 200, 404])('after a DELETE answered %i that removed nothing', async (status) => {
		const parts = partsFor(sandbox.baseUrl);
		const { isClean } = await certify({ ...parts, send: lying(parts.send, status) });
		expect(isClean).toBe(false);
		expect(countOfMarked()).toBe(1);
		expect(await cleaned(parts)).toMatchObject({ left: 0, removed: 1 });
		expect(countOfMarked()).toBe(0);
	});

	test('after a first DELETE answered 404 and a second one that removes it', async () => {
		const parts = partsFor(sandbox.baseUrl);
		const asked = new Set<string>();
		const { isClean } = await certify({
			...parts,
			send: async (request, ...rest) => {
				if (!isDelete(request) || asked.has(request.path)) return parts.send(request, ...rest);
				asked.add(request.path);
				return { status: 404, headers: {}, body: {} };
			},
		});
		expect(isClean).toBe(true);
		expect(countOfMarked()).toBe(0);
	});

	/** A platform that counts its records: in each answer the id of an event, session or webhook is a number. */
	function counting(send: SendAs): SendAs {
		const numbers = new Map<string, number>();
		const numberOf = (id: string) => {
			const number = numbers.get(id) ?? numbers.size + 1;
			numbers.set(id, number);
			return number;
		};
		const idOf = (number: string) =>
			[...numbers].find(([, assigned]) => String(assigned) === number)?.[0] ?? number;
		return async (request, ...rest) => {
			const path = request.path.replace(/(?<=\/)\d+(?=\/|$)/g, idOf);
			const answer = await send({ ...request, path }, ...rest);
			if ('networkError' in answer) return answer;
			const body = JSON.stringify(answer.body)?.replace(
				/"(id|event_id|session_id)":"([0-9a-f-]{36})"/g,
				(_, name: string, id: string) => `"${name}":${numberOf(id)}`,
			);
			return { ...answer, body: body === undefined ? body : (JSON.parse(body) as unknown) };
		};
	}

	test('where ids are numbers', async () => {
		const parts = partsFor(sandbox.baseUrl);
		const { isClean } = await certify({ ...parts, send: counting(parts.send) });
		expect({ isClean, left: countOfMarked() }).toEqual({ isClean: true, left: 0 });
		const own = sandbox.platform.store.all("SELECT url FROM webhooks WHERE url LIKE '%certify%'");
		expect(own).toEqual([]);
	});
});

test('the address of a subscription says that it is of this program', () => {
	expect(webhookMark(run, 'https://certify.invalid')).toBe(
		`https://certify.invalid/certify-${run}`,
	);
});
