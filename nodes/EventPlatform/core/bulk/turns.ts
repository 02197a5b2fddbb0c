import { againAfterMs, type Failure } from '../client/failure';
import type { Clock, Usage } from '../client/request';
import type { Reason } from '../jobs/task';

/** Who goes first: parts of what was refused, then what goes again; what is sent before what is read. */
const kinds = ['part', 'again', 'new', 'readAgain', 'read'] as const;

export interface Turn {
	/** Absent: new. */
	readonly kind?: (typeof kinds)[number];
	readonly sessionId: string;
	/** Absent: at once. May change while it waits. `reading`: how many reads are under way. */
	dueAt?(reading: number): number;
}

interface End {
	why: Reason;
	/** Absent: of the whole run. */
	sessionId?: string;
	/** What is under way on the platform is still read. */
	isOfSending?: boolean;
}

/**
 * Owns when the next request leaves: who goes first, how many at once, and what does not leave at all; until
 * the run is `over`.
 */
export function createTurns(clock: Clock, usage: Pick<Usage, 'perSecond'>, over: AbortSignal) {
	const health = new Health();
	let waiting: Array<{ turn: Turn; come: (whyNot?: Reason) => void }> = [];
	const ends: End[] = [];
	const underWay = { sends: 0, reads: 0 };
	let alarmAt = Infinity;

	/** Resolves when the request may leave, and `done` is to follow; or with the reason why it never may. */
	async function next(turn: Turn): Promise<Reason | undefined> {
		return (
			whyNot(turn) ??
			(await new Promise((come) => {
				waiting.push({ turn, come });
				waiting.sort((one, other) => rankOf(one.turn) - rankOf(other.turn));
				startWhatIsDue();
			}))
		);
	}

	/** A request has come back, and the run has taken in what it says. */
	function done(turn: Turn): void {
		underWay[countOf(turn)] -= 1;
		startWhatIsDue();
	}

	function end(one: End): void {
		ends.push(one);
		const before = waiting;
		waiting = waiting.filter(({ turn }) => !whyNot(turn));
		for (const { turn, come } of before) if (whyNot(turn)) come(whyNot(turn));
	}

	/** Without a session: why the whole run has ended. */
	function whyNot(turn: Partial<Turn>): Reason | undefined {
		return ends.find(
			({ sessionId = turn.sessionId, isOfSending }) =>
				sessionId === turn.sessionId && !(isOfSending && countOf(turn) === 'reads'),
		)?.why;
	}

	function startWhatIsDue(): void {
		const now = clock.now();
		while (underWay.sends + underWay.reads < health.concurrency(usage.perSecond)) {
			const due = waiting.map(({ turn }) =>
				Math.max(health.pausedUntil, turn.dueAt?.(underWay.reads) ?? 0),
			);
			const index = due.findIndex((at) => at <= now);
			const [first] = index < 0 ? [] : waiting.splice(index, 1);
			if (!first) return wakeAt(Math.min(...due));
			underWay[countOf(first.turn)] += 1;
			first.come();
		}
	}

	/** When something will be due; a request that comes back is looked at earlier. */
	function wakeAt(at: number): void {
		if (at >= alarmAt) return;
		alarmAt = at;
		const wake = () => {
			alarmAt = Infinity;
			startWhatIsDue();
		};
		clock.sleep(at - clock.now(), over).then(wake, () => {});
	}

	return { health, underWay, next, done, end, whyNot };
}

function rankOf({ kind = 'new' }: Turn): number {
	return kinds.indexOf(kind);
}

function countOf({ kind }: Partial<Turn>): 'sends' | 'reads' {
	return kind?.startsWith('read') ? 'reads' : 'sends';
}

/** So slow may answers be at the pace of section 8 without leaving it unused. */
const slowestAnswerSeconds = 4;
/** Requests under way at once, on a platform that allows very few or very many a second. */
const limits = { least: 8, most: 64 };
/** Until the first answer: where it takes less than 0.8 s, the pace of section 8 allows no more. */
const mostBeforeAnswer = 4;
/** A platform that has answered nothing yet is tried for so long: three times where it refuses to connect. */
const longestSilenceMs = 10_000;

/** How well the platform answers, and so how many requests may be under way, and when. */
export class Health {
	private failuresInARow = 0;
	private failedAt = -Infinity;
	private silentSince = Infinity;
	private hasAnswered = false;
	/** Why nothing was reached: the latest failure, as long as the platform has not answered at all. */
	unreached?: Failure;
	pausedUntil = -Infinity;

	answered(): void {
		this.hasAnswered = true;
		this.unreached = undefined;
		this.failuresInARow = 0;
		this.pausedUntil = -Infinity;
	}

	/** Requests that were under way together and failed together are one failure. */
	failed(sentAt: number, now: number, failure: Failure): void {
		// A platform that refuses a request because there are too many is there.
		this.hasAnswered ||= failure.reason === 'rate_limited';
		this.silentSince = Math.min(this.silentSince, sentAt);
		this.unreached = this.hasAnswered ? undefined : failure;
		if (sentAt < this.failedAt) return;
		this.failuresInARow += 1;
		this.failedAt = now;
		this.pausedUntil = now + (againAfterMs('run', this.failuresInARow) ?? 0);
	}

	concurrency(perSecond: number): number {
		const wanted = Math.ceil(slowestAnswerSeconds * perSecond);
		const usual = Math.min(limits.most, Math.max(limits.least, wanted));
		if (!this.hasAnswered) return this.failuresInARow > 0 ? 1 : mostBeforeAnswer;
		if (this.failuresInARow === 0) return usual;
		return this.failuresInARow === 1 ? Math.ceil(usual / 4) : 1;
	}

	get isHopeless(): boolean {
		const isSilent = this.unreached && this.failedAt - this.silentSince >= longestSilenceMs;
		const isGivenUp = againAfterMs('run', this.failuresInARow) === undefined;
		return (isSilent && this.failuresInARow > 1) || isGivenUp;
	}
}
