import type { Clock } from '../client/clock';
import type { Usage } from '../client/usage';
import type { Reason } from '../people/reason';
import { Health } from './health';

/** Who goes first: parts of what was refused, then what goes again; what is sent before what is read. */
const kinds = ['part', 'again', 'new', 'readAgain', 'read'] as const;

export interface QueuedRequest {
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
export function createQueue(
	clock: Clock,
	usage: Pick<Usage, 'perSecond'>,
	over: AbortSignal,
	health = new Health(),
) {
	let waiting: Array<{ turn: QueuedRequest; come: (whyNot?: Reason) => void }> = [];
	const ends: End[] = [];
	const underWay = { sends: 0, reads: 0 };
	let alarmAt = Infinity;

	/** Resolves when the request may leave, and `done` is to follow; or with the reason why it never may. */
	async function next(turn: QueuedRequest): Promise<Reason | undefined> {
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
	function done(turn: QueuedRequest): void {
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
	function whyNot(turn: Partial<QueuedRequest>): Reason | undefined {
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

function rankOf({ kind = 'new' }: QueuedRequest): number {
	return kinds.indexOf(kind);
}

function countOf({ kind }: Partial<QueuedRequest>): 'sends' | 'reads' {
	return kind?.startsWith('read') ? 'reads' : 'sends';
}
