/*
 * The sessions to come, as a list last showed them: what this process knows of them, whether that is news to a trigger, and how they are
 * read. All triggers of a token share it.
 */
import type { Query } from '../client/request';
import { LatestReadings, Readings } from '../failures/readings';
import type { DeliveredRecord } from '../records/record';
import { ProcessMap } from '../values/processState';
import { dayMs, minuteMs, type Ms, type Seconds } from '../values/units';
import { goneIfNotFound, noneOrUnfiltered } from './askList';
import type { PollContext } from './pollContext';
import { listedBehindSeconds, type Schedule } from './schedule';
import { spanOf, type Search } from './search';
import { listFrom, listUnfiltered, readOneSession, sessionsPathOf } from './sessions';

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

/** The sessions that the lists of a poll look at; undefined where their list was refused without words. */
export type ListInView = () => Promise<readonly DeliveredRecord[] | undefined>;

/** The list of one token. */
interface ListKey {
	token: string;
	path: string;
}

/** Shorter than the time between two polls of a trigger, each of which looks for itself. */
const justNowMs = minuteMs / 2;

/**
 * Owns what this process knows of the sessions to come. All triggers of the clock that have the same token share it: what one of them
 * lists is news to the others, too. Each for itself, ten triggers would list ten times as often.
 */
class SessionsToCome {
	private readonly lists = new ProcessMap<KnownSessions>('sessionsToCome');
	private readonly spans = new ProcessMap<{ spanSeconds: Seconds; atMs: Ms }>('spansToCome');
	private readonly listReadings = new Readings<string, KnownSessions>('nothing');

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
		if (isWidest) this.spans.set(nameOf(key), { spanSeconds, atMs: nowMs });
	}

	widestSpan(key: ListKey): Seconds {
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
			this.lists.set(name, sessions);
			return sessions;
		});
		if (isReadByAnother && list.spanSeconds < spanSeconds) await this.list(key, spanSeconds, read);
	}
}

function nameOf({ token, path }: ListKey): string {
	return `${token} ${path}`;
}

const toCome = new SessionsToCome();

/** By token and id. Undefined: the platform does not know the session. */
const readAlone = new LatestReadings<DeliveredRecord | undefined>(
	new ProcessMap('sessionsReadAlone'),
	() => justNowMs,
);

/** Says how far ahead a trigger looks, before any list is read. */
export function needToCome(token: string, search: Search, nowMs: Ms): void {
	toCome.need(keyOf(token, search), spanOf(search), nowMs);
}

/** The list of the workspace has the sessions of an event, too. */
export function findKnown(token: string, search: Search): KnownSessions | undefined {
	const { sessionId, ...others } = search.filters;
	const key = keyOf(token, search);
	const all = keyOf(token, { ...search, filters: { ...others, eventId: undefined } });
	const keys = sessionId === undefined ? [key, all] : [key];
	const shared = keys.flatMap((each) => toCome.find(each, spanOf(search)) ?? []);
	return shared.sort((first, second) => second.readAtMs - first.readAtMs)[0];
}

/** A list is news to a trigger that has not seen it. A clock that was ahead may have been set right since the last one. */
export function isNewer(shared: KnownSessions, schedule: Schedule, nowSeconds: Seconds): boolean {
	const { listedAt } = shared;
	if (refusedSince(shared, schedule, nowSeconds) !== undefined) return false;
	return (
		listedAt > schedule.listedAt ||
		(listedAt !== schedule.listedAt && schedule.listedAt > nowSeconds)
	);
}

/**
 * A list that was refused without words counts as refused for a trigger that knows sessions to come. For others it is empty: a platform may refuse an
 * empty list so each time.
 */
export function refusedSince(
	{ refusedSinceMs }: KnownSessions,
	{ plans }: Schedule,
	nowSeconds: Seconds,
): Seconds | undefined {
	const knowsSessions = Object.values(plans).some(({ startsAt }) => startsAt > nowSeconds);
	const isRefused = refusedSinceMs !== undefined && knowsSessions;
	return isRefused ? Math.floor(refusedSinceMs / 1_000) : undefined;
}

/** Lists the sessions to come, for all triggers of the token. The lists of this poll show them as well. */
export async function listToCome(
	context: PollContext,
	token: string,
	listInView?: ListInView,
): Promise<void> {
	const { search, time } = context;
	const key = keyOf(token, search);
	await toCome.list(key, spanOf(search), async () => {
		const spanSeconds = listInView ? Infinity : toCome.widestSpan(key);
		const sessions = await (listInView?.() ??
			listSessionsToCome(context, time.nowSeconds + spanSeconds));
		const { nowSeconds: listedAt, ourNowMs: readAtMs } = time;
		const list = { sessions: sessions ?? [], spanSeconds, listedAt, readAtMs };
		if (sessions) return list;
		// Our clock may have been set back.
		const refusedSinceMs = Math.min(
			toCome.find(key, spanOf(search))?.refusedSinceMs ?? readAtMs,
			readAtMs,
		);
		return { ...list, refusedSinceMs };
	});
}

/** Reads a session alone, unless another trigger has just done so; undefined where the platform does not know it. */
export async function readToCome(
	{ ask, time }: PollContext,
	token: string,
	id: string,
): Promise<DeliveredRecord | undefined> {
	const read = async () => {
		const session = await readOneSession(ask, id).catch(goneIfNotFound);
		return session === 'gone' ? undefined : session;
	};
	const reading = await readAlone.read(`${token} ${id}`, () => time.ourNowMs, read);
	return reading.result;
}

/** Lists the sessions to come, and those that have begun lately; undefined where the list is refused without words. */
export async function listSessionsToCome(
	context: PollContext,
	untilAt: Seconds,
): Promise<DeliveredRecord[] | undefined> {
	const { ask, search, time } = context;
	const { sessionId } = search.filters;
	if (sessionId !== undefined) {
		const session = await readOneSession(ask, sessionId);
		return session ? [session] : [];
	}
	const query: Query = {
		'filter[date_from]': time.nowSeconds - listedBehindSeconds,
		...(untilAt < Infinity && { 'filter[date_to]': untilAt }),
	};
	const listed = await listFrom(context, query).catch(noneOrUnfiltered);
	return listed ?? (await listUnfiltered(context));
}

function keyOf(token: string, search: Search): ListKey {
	return { token, path: sessionsPathOf(search) };
}
