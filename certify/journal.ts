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
import { join } from 'node:path';

/** What a run may make: an event, a session in it, people in that, a subscription. */
export type Thing = 'event' | 'session' | 'person' | 'webhook';

export interface Entry {
	kind: Thing;
	/** Its own name, with the random part of the run: title, name, address or path. Nothing else carries it. */
	mark: string;
	/** Known once the platform answered with a record that carries the mark. */
	id?: string;
	/** Clock time of the request that makes it. */
	sentAt?: number;
	removed?: true;
}

/** Everything that a run has made, on disk before the request leaves that makes it. */
export class Journal {
	readonly entries: Entry[] = [];

	private constructor(
		readonly file: string,
		readonly root: string,
		/** Sixteen random digits: nobody else has a name with these in it. */
		readonly run: string,
	) {}

	static begin(folder: string, root: string): Journal {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const run = randomBytes(8).toString('hex');
		const journal = new Journal(join(folder, `${run}.jsonl`), root, run);
		journal.append({ root, run });
		return journal;
	}

	/** Those of runs that ended before they had removed everything. */
	static left(folder: string): Journal[] {
		return names(folder)
			.filter((name) => name.endsWith('.jsonl'))
			.flatMap((name) => Journal.read(join(folder, name)) ?? []);
	}

	private static read(file: string): Journal | undefined {
		// A line that was cut off belongs to a request that never left.
		const [first, ...lines] = readFileSync(file, 'utf8').split('\n').slice(0, -1);
		if (first === undefined) return void rmSync(file);
		const { root, run } = JSON.parse(first) as Pick<Journal, 'root' | 'run'>;
		const journal = new Journal(file, root, run);
		for (const line of lines) {
			const entry = JSON.parse(line) as Entry;
			Object.assign(journal.find(entry.kind, entry.mark) ?? journal.push(entry), entry);
		}
		return journal;
	}

	/** On disk, for good, when this returns. */
	write(entry: Entry): Entry {
		this.append(entry);
		return Object.assign(this.find(entry.kind, entry.mark) ?? this.push(entry), entry);
	}

	find(kind: Thing, mark: string): Entry | undefined {
		return this.entries.find((one) => one.kind === kind && one.mark === mark);
	}

	get isClean(): boolean {
		return this.entries.every(({ removed }) => removed);
	}

	/** When nothing is left there is nothing to remember. */
	end(): void {
		if (this.isClean) rmSync(this.file, { force: true });
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

function names(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
