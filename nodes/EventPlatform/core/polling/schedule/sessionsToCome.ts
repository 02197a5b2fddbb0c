/*
 * The sessions to come, as a list last showed them: what this process knows of them, and whether that is news to a trigger. All triggers of a
 * token share it: what one of them lists is news to the others, too. Each for itself, ten triggers would list ten times as often.
 */
import type { Ask } from '../../client/request';
import { LatestReadings, Readings, type Reading } from '../../failures/readings';
import type { DeliveredRecord } from '../../records/record';
import { ProcessMap } from '../../values/processState';
import { dayMs, type Ms, type Seconds } from '../../values/units';
import type { PollContext } from '../pollContext';
import { listedBehindSeconds, type Schedule } from './schedule';
import { spanOf, type Search } from '../pollSettings';
import { listSessions, readAlone, sessionsPathOf } from '../sessionList';

/** The sessions that start within a span, as a list last showed them. */
export interface KnownSessions {
	sessions: readonly DeliveredRecord[];
	listedAt: Seconds;
	spanSeconds: Seconds;
	/**
	 * How many the last list of them took: a page may be asked for again without what the platform refuses in it. Absent: only the lists of polls
	 * have shown them, which look at more sessions.
	 */
	requests?: number;
}

/** Lists the sessions that the lists of a poll look at. */
export type ListInView = (askForList: Ask) => Promise<readonly DeliveredRecord[]>;

/** By token and path of the list. None is fresh: `dueWork.ts` has decided that the list is due, so each reading asks. `find` gives the latest. */
const lists = new LatestReadings<KnownSessions>(new ProcessMap('sessionsToCome'), () => 0);

/** How far ahead the triggers with a list look, and when one last said so. */
const spans = new ProcessMap<{ spanSeconds: Seconds; atMs: Ms }>('spansToCome');

/** The sessions that are being read alone. Undefined: the platform does not know the session. */
const readingAlone = new Readings<string, DeliveredRecord | undefined>('nothing');

/** Says how far ahead a trigger looks, before any list is read. The widest span of a day serves all of them. */
export function noteSpan(token: string, search: Search, nowMs: Ms): void {
	const spanSeconds = spanOf(search);
	const key = listKeyOf(token, search);
	const widest = spans.get(key);
	const isWidest =
		widest === undefined || spanSeconds >= widest.spanSeconds || nowMs - widest.atMs > dayMs;
	if (isWidest) spans.set(key, { spanSeconds, atMs: nowMs });
}

/**
 * Finds the latest list that reaches as far ahead as a trigger looks: its own, or that of the workspace, which has the sessions of an event,
 * too. Undefined: this process has read none.
 */
export function findListToCome(token: string, search: Search): Reading<KnownSessions> | undefined {
	const { sessionId, ...others } = search.filters;
	const own = lists.find(listKeyOf(token, search));
	const ofAll = lists.find(
		listKeyOf(token, { ...search, filters: { ...others, eventId: undefined } }),
	);
	return [own, sessionId === undefined ? ofAll : undefined]
		.flatMap((each) => each ?? [])
		.filter(({ result }) => result.spanSeconds >= spanOf(search))
		.sort((first, second) => second.atMs - first.atMs)[0];
}

/**
 * A list is news to a trigger where it is later than the one that the trigger took last. `findListToCome` may give an earlier one, where the latest
 * does not reach so far ahead any more. The time of the one that was taken may be still to come, because a clock was ahead: then any other is news.
 */
export function isNewTo(
	{ listedAt: takenAt }: Schedule,
	{ listedAt }: KnownSessions,
	nowSeconds: Seconds,
): boolean {
	return takenAt > nowSeconds ? listedAt !== takenAt : listedAt > takenAt;
}

/** Lists the sessions to come, for all triggers of the token. The lists of this poll show them as well. */
export async function listToCome(
	context: PollContext,
	token: string,
	listInView?: ListInView,
): Promise<void> {
	const { search, time } = context;
	const key = listKeyOf(token, search);
	const list = async () => {
		const widestSeconds = Math.max(spanOf(search), spans.get(key)?.spanSeconds ?? 0);
		const spanSeconds = listInView ? Infinity : widestSeconds;
		let requests = 0;
		const ask: Ask = (request) => {
			requests++;
			return context.ask(request);
		};
		const sessions = await (listInView?.(ask) ??
			listSessionsToCome({ ...context, ask }, time.nowSeconds + spanSeconds));
		const taken = listInView ? lists.find(key)?.result.requests : requests;
		return { sessions, spanSeconds, requests: taken, listedAt: time.nowSeconds };
	};
	const { result } = await lists.read(key, () => time.ourNowMs, list, context.isPatient);
	// Another trigger was reading it, and looks not so far ahead.
	if (result.spanSeconds < spanOf(search)) await listToCome(context, token, listInView);
}

/** Reads a session alone, once for all triggers that ask at the same moment and as patiently; undefined where the platform does not know it. */
export async function readToCome(
	{ ask, isPatient }: PollContext,
	token: string,
	id: string,
): Promise<DeliveredRecord | undefined> {
	const read = async () => {
		const session = await readAlone(ask, id);
		return session === 'gone' ? undefined : session;
	};
	return await readingAlone.read(`${token} ${id} ${isPatient}`, read);
}

/** Lists the sessions to come, and those that have begun lately. */
export async function listSessionsToCome(
	context: PollContext,
	untilAt: Seconds,
): Promise<DeliveredRecord[]> {
	const fromAt = context.time.nowSeconds - listedBehindSeconds;
	return (await listSessions(context, { fromAt, untilAt })).sessions;
}

function listKeyOf(token: string, search: Search): string {
	return `${token} ${sessionsPathOf(search)}`;
}
