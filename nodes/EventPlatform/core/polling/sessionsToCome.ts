import { Readings } from '../failures/readings';
import type { DeliveredRecord } from '../records/record';
import { ProcessMap } from '../values/processState';
import { ageOf } from '../values/recentTimes';
import { dayMs, minuteMs, type Ms, type Seconds } from '../values/units';

/** The sessions that start within a span, as a list last showed them. */
export interface KnownSessions {
	sessions: readonly DeliveredRecord[];
	/** When they were listed, in Unix seconds by the platform's clock. */
	listedAt: Seconds;
	spanSeconds: Seconds;
	/** When they were listed, by our clock, which goes on between the responses. */
	readAtMs: Ms;
	/** Since when each list was refused without words, by our clock: there may be no sessions, or a gateway may refuse it. Absent: the last one was not. */
	refusedSinceMs?: Ms;
}

/** The list of one token. */
export interface ListKey {
	token: string;
	path: string;
}

/** Shorter than the time between two polls of a trigger, each of which looks for itself. */
const justNowMs = minuteMs / 2;

/**
 * Owns what this process knows of the sessions to come. All triggers of the clock that have the same token share it: what one of them
 * lists is news to the others, too. Each for itself, ten triggers would list ten times as often.
 */
export class SessionsToCome {
	private readonly lists = new ProcessMap<KnownSessions>('sessionsToCome');
	private readonly spans = new ProcessMap<{ spanSeconds: Seconds; atMs: Ms }>('spansToCome');
	private readonly listReadings = new Readings<string, KnownSessions>('nothing');
	/** With when they were asked for, by our clock. Absent in it: the platform does not show the session. */
	private readonly alone = new ProcessMap<{ session?: DeliveredRecord; atMs: Ms }>(
		'sessionsReadAlone',
	);
	private readonly sessionReadings = new Readings<string, DeliveredRecord | undefined>('nothing');

	/** Undefined: this process has not listed them, or not so far ahead. */
	find(key: ListKey, spanSeconds: Seconds): KnownSessions | undefined {
		const list = this.lists.get(nameOf(key));
		return list && list.spanSeconds >= spanSeconds ? list : undefined;
	}

	/** Says that a trigger needs this span. The widest one of a day serves all of them. */
	need(key: ListKey, spanSeconds: Seconds, nowMs: Ms): void {
		const widest = this.spans.get(nameOf(key));
		const isWidest =
			widest === undefined || spanSeconds >= widest.spanSeconds || nowMs - widest.atMs > dayMs;
		if (isWidest) this.spans.set(nameOf(key), { spanSeconds, atMs: nowMs }, nowMs);
	}

	widestSpan(key: ListKey): number {
		return this.spans.get(nameOf(key))?.spanSeconds ?? Infinity;
	}

	/** Lists them, or waits for the list that another trigger is reading, and lists them after it where that one is not so far ahead. */
	async list(
		key: ListKey,
		spanSeconds: Seconds,
		read: () => Promise<KnownSessions>,
	): Promise<void> {
		const name = nameOf(key);
		const isReadByAnother = this.listReadings.has(name);
		const list = await this.listReadings.read(name, async () => {
			const sessions = await read();
			this.lists.set(name, sessions, sessions.readAtMs);
			return sessions;
		});
		if (isReadByAnother && list.spanSeconds < spanSeconds) await this.list(key, spanSeconds, read);
	}

	/** Reads a session alone, unless another trigger has just done so. */
	async readAlone(
		token: string,
		id: string,
		nowMs: Ms,
		read: () => Promise<DeliveredRecord | undefined>,
	): Promise<DeliveredRecord | undefined> {
		const name = nameOf({ token, path: id });
		const before = this.alone.get(name);
		if (before && ageOf(before.atMs, nowMs) < justNowMs) return before.session;
		return await this.sessionReadings.read(name, async () => {
			const session = await read();
			this.alone.set(name, { session, atMs: nowMs }, nowMs);
			return session;
		});
	}
}

function nameOf({ token, path }: ListKey): string {
	return `${token} ${path}`;
}
