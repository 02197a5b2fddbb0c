import { randomBytes } from 'node:crypto';
import {
	closeSync,
	fsyncSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { isObject, type JsonObject } from '../nodes/EventPlatform/core/values/json';
import { text } from '../nodes/EventPlatform/core/values/text';
import { isMarkOf, runPattern, things, type Thing } from './marks';
import { isStillRunning, noteProcess, type RunningProcess } from './running';

export interface Entry {
	kind: Thing;
	/** Its title, name, address or path, with the random digits of the run. Nothing else carries it. */
	mark: string;
	/** The id on the platform; absent until a response had a record that carries the mark. */
	id?: string;
	/** The time of the request that makes it by the clock of the run, in milliseconds; absent until it leaves. */
	sentAt?: number;
	removed?: true;
}

/** The first line of a journal. */
interface Head {
	/** Address of the platform, with /v1. */
	root: string;
	run: string;
	process: RunningProcess;
}

/**
 * A file with lines that cannot be read, or that this program has not written. Where the first line is one of these, nobody
 * knows the run of the file, and nothing in it is believed.
 */
export type SuspectFile =
	{ kind: 'no journal'; file: string } | { kind: 'journal'; file: string; refusedLines: number };

/** The files that runs have left. */
export interface Leftovers {
	/** The journals of runs that ended before they had removed everything. */
	journals: Journal[];
	suspectFiles: SuspectFile[];
}

/** What a file in the folder of the journals turns out to be. */
type Reading = { kind: 'empty' } | { kind: 'no journal' } | { kind: 'journal'; journal: Journal };

/** Everything that a run has made, on disk before the request leaves that makes it. */
export class Journal {
	readonly entries: Entry[] = [];
	/** Lines that this program has not written, or that cannot be read. Nothing is done about them. */
	refusedLines = 0;

	private constructor(
		readonly file: string,
		readonly root: string,
		/** Sixteen random digits: nobody else has a name with these in it. */
		readonly run: string,
		private readonly process: RunningProcess,
	) {}

	static begin(folder: string, root: string): Journal {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const run = randomBytes(8).toString('hex');
		const journal = new Journal(join(folder, `${run}.jsonl`), root, run, noteProcess(process.pid));
		const head: Head = { root, run, process: journal.process };
		journal.append(head);
		return journal;
	}

	/** Reads the folder of the journals, and removes files that hold nothing. */
	static readLeftovers(folder: string): Leftovers {
		const journals: Journal[] = [];
		const suspectFiles: SuspectFile[] = [];
		for (const name of namesIn(folder).filter((fileName) => fileName.endsWith('.jsonl'))) {
			const file = join(folder, name);
			const reading = Journal.read(file);
			if (reading.kind === 'empty') rmSync(file);
			else if (reading.kind === 'no journal') suspectFiles.push({ kind: 'no journal', file });
			else {
				const { journal } = reading;
				const { refusedLines } = journal;
				journals.push(journal);
				if (refusedLines > 0) suspectFiles.push({ kind: 'journal', file, refusedLines });
			}
		}
		return { journals, suspectFiles };
	}

	/** Reads each line by itself, so that a broken line spoils no other line. */
	private static read(file: string): Reading {
		// A line that was cut off belongs to a request that never left.
		const [first, ...lines] = readFileSync(file, 'utf8').split('\n').slice(0, -1);
		if (first === undefined) return { kind: 'empty' };
		const head = parseHead(first);
		if (head === undefined || basename(file) !== `${head.run}.jsonl`) {
			return { kind: 'no journal' };
		}
		const journal = new Journal(file, head.root, head.run, head.process);
		for (const line of lines) {
			const entry = parseEntry(line, head.run);
			if (entry === undefined) journal.refusedLines++;
			else Object.assign(journal.find(entry.kind, entry.mark) ?? journal.push(entry), entry);
		}
		return { kind: 'journal', journal };
	}

	/** The run goes on in another process, which removes what it made by itself. */
	get isInUse(): boolean {
		return isStillRunning(this.process);
	}

	/** Writes an entry. It is on disk, for good, when this returns. */
	write(entry: Entry): Entry {
		this.append(entry);
		return Object.assign(this.find(entry.kind, entry.mark) ?? this.push(entry), entry);
	}

	find(kind: Thing, mark: string): Entry | undefined {
		return this.entries.find((entry) => entry.kind === kind && entry.mark === mark);
	}

	get isClean(): boolean {
		return this.entries.every(({ removed }) => removed);
	}

	/** When nothing is left there is nothing to remember. A line that was refused is for a person to look at. */
	end(): void {
		if (this.isClean && this.refusedLines === 0) rmSync(this.file, { force: true });
	}

	private push(entry: Entry): Entry {
		this.entries.push(entry);
		return entry;
	}

	private append(line: object): void {
		const file = openSync(this.file, 'a', 0o600);
		writeSync(file, `${JSON.stringify(line)}\n`);
		fsyncSync(file);
		closeSync(file);
	}
}

function parseHead(line: string): Head | undefined {
	const { root, run, process } = parseObject(line);
	if (typeof root !== 'string' || typeof run !== 'string' || !runPattern.test(run))
		return undefined;
	if (!isObject(process)) return undefined;
	const { pid, startedAt } = process;
	if (!Number.isSafeInteger(pid) || Number(pid) < 1) return undefined;
	return { root, run, process: { pid: Number(pid), startedAt: text(startedAt) } };
}

/** Gives undefined for a line that a run with these digits does not write. */
function parseEntry(line: string, run: string): Entry | undefined {
	const { kind, mark, id, sentAt, removed } = parseObject(line);
	const thing = things.find((name) => name === kind);
	if (thing === undefined || typeof mark !== 'string' || !isMarkOf(run, thing, mark))
		return undefined;
	const entry: Entry = { kind: thing, mark };
	if (typeof id === 'string' && id !== '') entry.id = id;
	if (typeof sentAt === 'number') entry.sentAt = sentAt;
	if (removed === true) entry.removed = true;
	return entry;
}

function parseObject(line: string): JsonObject {
	try {
		const parsed: unknown = JSON.parse(line);
		return isObject(parsed) ? parsed : {};
	} catch {
		return {};
	}
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
