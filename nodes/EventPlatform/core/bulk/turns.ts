import type { Clock, Usage } from '../http/ports';
import type { Reason } from '../jobs/task';
import type { Health } from './health';

/** Who goes first: parts of what was refused, then what goes again; what is sent before what is read. */
const kinds = ['part', 'again', 'new', 'readAgain', 'read'] as const;

/** A request that waits until it may leave. */
export interface Turn {
	kind: (typeof kinds)[number];
	sessionId: string;
	/** May change while it waits. */
	dueAt: () => number;
}

interface End {
	why: Reason;
	/** Absent: of the whole run. */
	sessionId?: string;
	/** What is under way on the platform is still read. */
	isOfSending?: boolean;
}

/** Owns when the next request leaves: who goes first, how many at once, and what does not leave at all. */
export class Turns {
	private waiting: Array<Turn & { come: (whyNot?: Reason) => void }> = [];
	private readonly ends: End[] = [];
	/** Requests that have left and not come back. */
	readonly underWay = { sends: 0, reads: 0 };
	private alarmAt = Infinity;

	constructor(
		private readonly clock: Clock,
		private readonly health: Health,
		private readonly usage: Pick<Usage, 'perSecond'>,
		/** Ends its waits. */
		private readonly over: AbortSignal,
	) {}

	/** Resolves when the request may leave, and `done` is to follow; or with the reason why it never may. */
	async next(turn: Turn): Promise<Reason | undefined> {
		return (
			this.whyNot(turn) ??
			(await new Promise((come) => {
				const later = this.waiting.findIndex((other) => rankOf(other) > rankOf(turn));
				this.waiting.splice(later < 0 ? Infinity : later, 0, { ...turn, come });
				this.startWhatIsDue();
			}))
		);
	}

	/** A request has come back, and the run has taken in what it says. */
	done(kind: Turn['kind']): void {
		this.underWay[countOf(kind)] -= 1;
		this.startWhatIsDue();
	}

	/** Nothing of this leaves any more. */
	end(end: End): void {
		this.ends.push(end);
		const ended = this.waiting.filter((turn) => this.whyNot(turn));
		this.waiting = this.waiting.filter((turn) => !ended.includes(turn));
		for (const turn of ended) turn.come(this.whyNot(turn));
	}

	/** Why nothing more is sent at all. */
	get stopped(): Reason | undefined {
		return this.ends.find(({ sessionId }) => sessionId === undefined)?.why;
	}

	whyNot({ kind, sessionId }: Pick<Turn, 'kind'> & Partial<Turn>): Reason | undefined {
		return this.ends.find(
			(end) =>
				(end.sessionId === undefined || end.sessionId === sessionId) &&
				!(end.isOfSending && countOf(kind) === 'reads'),
		)?.why;
	}

	private startWhatIsDue(): void {
		const { clock, health, underWay, waiting } = this;
		const now = clock.now();
		while (underWay.sends + underWay.reads < health.concurrency(this.usage.perSecond)) {
			const isPaused = now < health.pausedUntil;
			const next = isPaused ? -1 : waiting.findIndex(({ dueAt }) => dueAt() <= now);
			const [turn] = next < 0 ? [] : waiting.splice(next, 1);
			if (!turn) return this.wakeAt(now);
			underWay[countOf(turn.kind)] += 1;
			turn.come();
		}
	}

	/** When something will be due; a request that comes back is looked at earlier. */
	private wakeAt(now: number): void {
		const dueAt = Math.min(...this.waiting.map((turn) => turn.dueAt()));
		const at = Math.max(this.health.pausedUntil, dueAt);
		if (at >= this.alarmAt) return;
		this.alarmAt = at;
		const wake = () => {
			this.alarmAt = Infinity;
			this.startWhatIsDue();
		};
		this.clock.sleep(at - now, this.over).then(wake, () => {});
	}
}

function rankOf({ kind }: Turn): number {
	return kinds.indexOf(kind);
}

function countOf(kind: Turn['kind']): 'sends' | 'reads' {
	return kind.startsWith('read') ? 'reads' : 'sends';
}
