import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** An npm that installs nothing, in a folder that goes with the tests of the file. */
export interface FakeNpm {
	folder: string;
	/** The PATH on which it is the first npm. */
	path: string;
	/** All that it was given since the last time that this was forgotten: its words, and the environment. */
	recorded(): string;
	/** The words that it was given each time, in their order. */
	calls(): string[];
	forget(): void;
}

/** It runs these lines of the shell, and prints its environment. */
export function fakeNpm(lines: (folder: string) => string): FakeNpm {
	const folder = mkdtempSync(join(tmpdir(), 'event-platform-npm-'));
	const file = join(folder, 'recorded.txt');
	const npm = join(folder, 'npm');
	const record = `echo "npm called: $*" >> '${file}'\nenv >> '${file}'\nenv\n`;
	writeFileSync(npm, `#!/bin/sh\n${record}${lines(folder)}\nexit 0\n`);
	chmodSync(npm, 0o755);
	afterAll(() => rmSync(folder, { recursive: true }));
	const recorded = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
	return {
		folder,
		path: [folder, process.env.PATH].join(delimiter),
		recorded,
		calls: () => [...recorded().matchAll(/^npm called: (.*)$/gm)].map(([, words = '']) => words),
		forget: () => rmSync(file, { force: true }),
	};
}
