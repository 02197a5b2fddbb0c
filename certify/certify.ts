import { Cancelled, type Clock } from '../nodes/EventPlatform/core/client/clock';
import { RequestQueue } from '../nodes/EventPlatform/core/client/requestQueue';
import { Asker, Ended, type AskParts } from './ask';
import { askLimits } from './asks/limits';
import { askAccess, askReading } from './asks/reading';
import { askWriting } from './asks/writing';
import { Journal, type Entry, type SuspectFile } from './journal';
import type { Listener } from './listen';
import { Ours, removeAll, Unreadable } from './ours';
import { reportOf, type Report } from './report';
import { judge, type Need } from './row';
import { rows } from './rows';
import type { SendAs } from './send';
import { words, type Words } from './words';

/**
 * One run: ask (asks/), judge what came of it (rows/), remove what was made (ours.ts), report (report.ts). Asking knows
 * no statement, and judging sends nothing.
 */
export interface RunParts {
	/** The base address of the API, with /v1. */
	root: string;
	token: string;
	isOAuth: boolean;
	/** Also creates, changes and removes; people are registered under this mailbox. */
	mailbox?: string;
	wants: ReadonlySet<Need>;
	/** Folder of the journals. */
	journals: string;
	/** Where deliveries come to, with `listen`. */
	listener?: Listener;
	send: SendAs;
	clock: Clock;
	signal: AbortSignal;
	queue?: RequestQueue;
	onRequest?: AskParts['onRequest'];
	/** Asked when a run may take more than a hundredth of what the month has left. */
	mayTakeMore(most: number, left: number): Promise<boolean>;
	say(sentence: string): void;
}

/** Requests at most; removing what was made has its share of those for writing. */
const most = { read: 60, write: 150 } as const;
const keptForRemoval = 20;

export function mostFor(wants: RunParts['wants']): number {
	return wants.size > 1 ? most.write : most.read;
}

export interface Outcome {
	report: Report;
	/** False: the journal has what is still there. */
	isClean: boolean;
	/** Why the run ended before its end. */
	ended?: Words;
}

export async function certify(parts: RunParts): Promise<Outcome> {
	const { root, wants, mailbox, clock, signal, say } = parts;
	const queue = parts.queue ?? new RequestQueue(clock);
	const limit = mostFor(wants) - (wants.has('write') ? keptForRemoval : 0);
	const asker = new Asker(askParts(parts, queue, signal, limit));
	const writes = wants.has('write') && mailbox !== undefined;
	const journal = writes ? Journal.begin(parts.journals, root) : undefined;
	let ended: Words | undefined;
	try {
		const otherForm = await askAccess(asker, parts);
		if (otherForm !== undefined) asker.parts.authorization = otherForm;
		await requireRoom(asker, parts);
		await askReading(asker);
		if (journal && writes)
			await askWriting(asker, new Ours(journal, asker), mailbox, parts.listener);
		if (wants.has('limits')) await askLimits(asker);
	} catch (error) {
		ended = reasonOf(error);
		asker.seen.skip('everything', words`the run ended before: ${ended}`);
	}
	if (journal && !journal.isClean) {
		say('Removing what was made …');
		// After Ctrl-C as well: what is removed is not asked for any more by the signal.
		const remover = new Asker(askParts(parts, queue, new AbortController().signal, keptForRemoval));
		remover.parts.authorization = asker.parts.authorization;
		await removeAll(new Ours(journal, remover));
		asker.spent += remover.spent;
	}
	journal?.end();
	const verdicts = rows
		.filter(({ needs }) => needs === 'read' || wants.has(needs))
		.map((row) => ({ row, verdict: judge(row, asker.seen) }));
	const notAsked = rows.filter(({ needs }) => needs !== 'read' && !wants.has(needs));
	for (const row of notAsked) {
		verdicts.push({ row, verdict: { state: 'not seen', why: words`not asked for` } });
	}
	const inOrder = rows.flatMap((row) => verdicts.filter((verdict) => verdict.row === row));
	return {
		report: reportOf(inOrder, { root, requests: asker.spent, date: new Date() }),
		isClean: journal?.isClean ?? true,
		...(ended !== undefined && { ended }),
	};
}

/** `--clean` needs the parts that every run needs, and one more. */
export interface CleanParts extends Omit<RunParts, 'wants' | 'mailbox' | 'mayTakeMore'> {
	/** Asked once, with all that would be removed. */
	mayRemove(things: readonly Entry[]): Promise<boolean>;
}

/** The outcome of `--clean` for the journals. */
export interface Cleaned {
	/** Runs of which nothing is left. */
	removed: number;
	/** Runs of which something is left, or nobody knows. */
	left: number;
	/** Runs at another address. */
	elsewhere: number;
	/** Runs that go on in another process. */
	inUse: number;
	/** Files with lines that this program has not written. */
	suspectFiles: readonly SuspectFile[];
}

/** `--clean`: removes what runs that were killed have left at this address, if somebody agrees. */
export async function clean(parts: CleanParts): Promise<Cleaned> {
	const queue = parts.queue ?? new RequestQueue(parts.clock);
	const { journals, suspectFiles } = Journal.readLeftovers(parts.journals);
	const idle = journals.filter(({ isInUse }) => !isInUse);
	const here = idle.filter(({ root }) => root === parts.root);
	const cleaned: Cleaned = {
		removed: 0,
		left: 0,
		elsewhere: idle.length - here.length,
		inUse: journals.length - idle.length,
		suspectFiles,
	};
	const things = here.flatMap(({ entries }) => entries).filter(({ removed }) => !removed);
	if (things.length > 0 && !(await parts.mayRemove(things))) {
		cleaned.left = here.length;
		return cleaned;
	}
	for (const journal of here) {
		const asker = new Asker(askParts(parts, queue, parts.signal, most.read));
		const isRemoved = await removeAll(new Ours(journal, asker));
		cleaned[isRemoved ? 'removed' : 'left']++;
	}
	return cleaned;
}

function askParts(
	{
		send,
		token,
		isOAuth,
		clock,
		onRequest,
	}: Pick<RunParts, 'send' | 'token' | 'isOAuth' | 'clock' | 'onRequest'>,
	queue: RequestQueue,
	signal: AbortSignal,
	mostRequests: number,
): AskParts {
	return {
		send,
		authorization: isOAuth ? `Bearer ${token}` : token,
		clock,
		queue,
		signal,
		most: mostRequests,
		guard: Ours.guard,
		...(onRequest && { onRequest }),
	};
}

async function requireRoom(asker: Asker, { wants, mayTakeMore }: RunParts): Promise<void> {
	const left = asker.usage.month.monthlyRemaining;
	const mostRequests = mostFor(wants);
	if (left === undefined || mostRequests <= left / 100) return;
	if (!(await mayTakeMore(mostRequests, left))) {
		throw new Ended(words`more than a hundredth of the month was not agreed to`);
	}
}

function reasonOf(error: unknown): Words {
	if (error instanceof Ended) return error.why;
	if (error instanceof Cancelled) return words`it was stopped`;
	if (error instanceof Unreadable) return words`a list of what it made could not be read`;
	throw error;
}
