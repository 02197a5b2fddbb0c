import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { statusLineOn } from '../scripts/statusLine';
import { thousands } from '../nodes/EventPlatform/core/values/text';

export const isTerminal = (): boolean => process.stdin.isTTY === true;

/** Without a terminal nobody can agree. */
export async function askYes(question: string): Promise<boolean> {
	if (!isTerminal()) {
		console.error('There is no terminal to ask at: --yes starts without a question.');
		return false;
	}
	const answer = await ask(`${question} (y/N) `, process.stderr);
	return /^y(?:es)?$/i.test(answer.trim());
}

/** Asks without showing the typed text. */
export async function askHidden(question: string): Promise<string> {
	if (!isTerminal()) return '';
	process.stderr.write(question);
	const nowhere = new Writable({ write: (_part, _encoding, done) => done() });
	const answer = await ask('', nowhere);
	process.stderr.write('\n');
	return answer;
}

async function ask(question: string, output: NodeJS.WritableStream): Promise<string> {
	const lines = createInterface({ input: process.stdin, output, terminal: true });
	try {
		return await lines.question(question);
	} finally {
		lines.close();
	}
}

const status = statusLineOn(process.stderr);

/** How many requests were sent, and how many the month has left, where somebody watches. */
export function showProgress(spent: number, left?: number): void {
	const month = left === undefined ? '' : `, ${thousands(left)} of the month left`;
	status.show(`${spent} requests${month}`);
}

export const clearProgress = (): void => status.clear();
