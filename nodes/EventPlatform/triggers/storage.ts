import type { IDataObject, IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import type {
	ContentBookmark,
	Cursor,
	DuePeople,
	EventsBookmark,
	HiddenPeople,
	PeopleBookmark,
	ReadPeople,
	TimedBookmark,
	SessionsView,
} from '../core/polling/cursor';
import { DeliveryHistory, type Stored } from '../core/webhooks/deliveryHistory';
import type { Gap, MadeWebhook, Subscription } from '../core/webhooks/gap';
import { keepLatest } from '../core/values/collections';
import { isObject } from '../core/values/json';
import type { Spent } from '../core/webhooks/lookupBudget';
import type { Share } from '../core/polling/monthlyShare';
import {
	countIn,
	idIn,
	listOf,
	mapOf,
	millisecondsIn,
	numberIn,
	secondsIn,
	shapeOf,
	switchIn,
	textIn,
	unionOf,
	urlIn,
	wordIn,
	type Reader,
} from './storedShapes';

/*
 * All that n8n keeps with a workflow for the triggers. It is read, checked and written here and nowhere else. Another
 * version, an import or a script may have left another shape: a part that does not fit counts as not stored, the log
 * says so, and the trigger begins that part anew.
 */

export type Context = IHookFunctions | IWebhookFunctions | IPollFunctions;

/** The data that the polling trigger keeps from one poll to the next. */
export interface StoredPolling {
	/** How far the lists of the platform were read. */
	cursor?: Cursor;
	/** How many requests polling may cost. */
	share?: Share;
	/** When the trigger began, by our clock, where nothing could be read since then. */
	begunAtMs?: number;
}

/** A copy, so that what is stored stays as it is until a poll has come to its end. */
export function readPolling(context: Context): StoredPolling {
	return readStored(context, pollingIn);
}

/** Writes the parts that are given; the others stay as they are. */
export function storePolling(context: Context, changed: StoredPolling): void {
	Object.assign(storeOf(context), changed);
}

/** Reads a copy of what the webhook trigger keeps of deliveries and of our subscriptions. */
export function readDeliveries(context: Context): Stored {
	return readStored(context, deliveriesIn);
}

/** Writes what the process knows of deliveries, and only what changed, because each change goes to the database. */
export function storeDeliveries(context: Context, history: DeliveryHistory): void {
	const store = storeOf(context);
	const subscription = subscriptionIn(store.subscription, () => {});
	const changed = Object.entries(history.toStored(subscription)).filter(
		([name, value]) => JSON.stringify(value) !== JSON.stringify(store[name]),
	);
	Object.assign(store, Object.fromEntries(changed));
}

/** Writes what a trigger made on the platform. */
export function storeSubscription(context: Context, subscription: Subscription): void {
	Object.assign(storeOf(context), { subscription: { ...subscription } });
}

export function forgetSubscription(context: Context): void {
	delete storeOf(context).subscription;
}

/** One trigger of one workflow, in this process. A test in the editor shares nothing with the trigger in use. */
export function triggerOf(context: Context): string {
	const use = context.getMode() === 'manual' ? 'test' : '';
	return `${context.getWorkflow().id ?? ''} ${context.getNode().id} ${use}`;
}

/** A memory is kept for longer than from one check to the next, which is a month at most. What matters after that is stored. */
const forgottenAfterMs = 40 * 86_400_000;
/** The memory of each trigger in this process, and when it was last used, in milliseconds since 1970. */
const histories = new Map<string, { history: DeliveryHistory; usedAt: number }>();

/**
 * n8n gives each delivery a copy of its own of what is stored, and the last one to be saved wins: what the process knows
 * is kept here. Several processes (queue mode) share only what is stored, so that two may start a run for the same event.
 */
export function historyOf(context: Context): DeliveryHistory {
	const trigger = triggerOf(context);
	const stored = readDeliveries(context);
	const history = histories.get(trigger)?.history ?? new DeliveryHistory(stored);
	const now = Date.now();
	histories.set(trigger, { history, usedAt: now });
	for (const [id, { usedAt }] of histories) {
		if (now - usedAt > forgottenAfterMs) histories.delete(id);
	}
	history.merge(stored);
	return history;
}

const timedBookmarkIn: Reader<TimedBookmark> = shapeOf<TimedBookmark>(['sinceAt', 'seen'], {
	sinceAt: secondsIn,
	seen: textIn,
});

/** Each kind of a bookmark of people has these fields. */
const peopleReaders = {
	sinceAt: secondsIn,
	seen: textIn,
	untimed: textIn,
	isComplete: switchIn,
};

const peopleIn: Reader<PeopleBookmark> = unionOf<PeopleBookmark>({
	due: shapeOf<DuePeople>(['kind', 'sinceAt', 'seen', 'isComplete'], {
		kind: wordIn('due'),
		...peopleReaders,
		triedAt: secondsIn,
	}),
	read: shapeOf<ReadPeople>(
		['kind', 'sinceAt', 'seen', 'isComplete', 'facts', 'readAt', 'attendance'],
		{
			kind: wordIn('read'),
			...peopleReaders,
			facts: textIn,
			readAt: secondsIn,
			changedAt: secondsIn,
			attendance: wordIn('notOver', 'open', 'settled'),
		},
	),
	hidden: shapeOf<HiddenPeople>(['kind', 'sinceAt', 'seen', 'isComplete', 'hiddenAt'], {
		kind: wordIn('hidden'),
		...peopleReaders,
		hiddenAt: secondsIn,
	}),
});

const viewIn: Reader<SessionsView> = shapeOf<SessionsView>(
	['searchKey', 'listedAt', 'pages', 'requestsInParts', 'hasOnDemand'],
	{
		searchKey: textIn,
		listedAt: secondsIn,
		pages: countIn,
		requestsInParts: countIn,
		hasOnDemand: switchIn,
	},
);

const cursorIn: Reader<Cursor> = shapeOf<Cursor>(['startedAt', 'polledAt', 'people'], {
	startedAt: secondsIn,
	startFrom: secondsIn,
	polledAt: secondsIn,
	events: shapeOf<EventsBookmark>(['sinceAt', 'seen'], {
		sinceAt: secondsIn,
		seen: textIn,
		readAt: secondsIn,
	}),
	sessions: timedBookmarkIn,
	people: mapOf(peopleIn),
	contents: mapOf(
		shapeOf<ContentBookmark>(['readAt', 'seen'], { readAt: secondsIn, seen: textIn }),
	),
	jobs: textIn,
	view: viewIn,
	openSessionIds: listOf(idIn),
	registrationTimes: wordIn('present', 'missing'),
	hasMore: switchIn,
});

const requestsIn = numberIn(-1e9, 1e9);

const shareIn: Reader<Share> = shapeOf<Share>(['credit', 'calculatedAtMs', 'perDay'], {
	credit: requestsIn,
	calculatedAtMs: millisecondsIn,
	perDay: requestsIn,
	returnsAtMs: millisecondsIn,
	cost: countIn,
	triggers: countIn,
});

const gapIn: Reader<Gap> = shapeOf<Gap>(['beganAtMs'], {
	beganAtMs: (value, tell) => {
		const beganAtMs = mapOf(millisecondsIn)(value, tell) ?? {};
		return Object.keys(beganAtMs).length > 0 ? beganAtMs : undefined;
	},
	endedAtSeconds: secondsIn,
	cursor: cursorIn,
});

const madeWebhookIn = shapeOf<MadeWebhook>(['id', 'url'], {
	id: idIn,
	url: urlIn,
	keyDigest: textIn,
});

const subscriptionIn = shapeOf<Subscription>(['url', 'ids', 'madeAt', 'seenAt', 'owner'], {
	url: urlIn,
	ids: mapOf(idIn),
	former: listOf(madeWebhookIn),
	hiddenEventTypes: listOf(textIn),
	madeAt: millisecondsIn,
	seenAt: millisecondsIn,
	// Clocks differ in both directions.
	aheadMs: numberIn(-8.64e15, 8.64e15),
	missed: gapIn,
	keyDigest: textIn,
	owner: textIn,
});

const spentIn = shapeOf<Partial<Spent>>([], {
	lookedUpAt: listOf(millisecondsIn),
	dayBeganAt: millisecondsIn,
	unproven: countIn,
});

const pollingIn = shapeOf<StoredPolling>([], {
	cursor: cursorIn,
	share: shareIn,
	begunAtMs: millisecondsIn,
});

const deliveriesIn = shapeOf<Stored>([], {
	subscription: subscriptionIn,
	seen: textIn,
	arrived: mapOf(millisecondsIn),
	spent: spentIn,
});

function readStored<Value extends object>(context: Context, reader: Reader<Value>): Value {
	const misfits: string[] = [];
	const store = storeOf(context, () => misfits.push('everything'));
	const stored = reader(store, (path) => misfits.push(path));
	if (misfits.length > 0) warn(context, misfits);
	return stored ?? ({} as Value);
}

/** The data of triggers whose place in n8n holds no object, so that nothing can be written to it. */
const unsaved = new Map<string, IDataObject>();

/** The place where n8n keeps what a trigger stores; what cannot be stored there lives as long as the process. */
function storeOf(context: Context, tell = () => {}): IDataObject {
	const stored: unknown = context.getWorkflowStaticData('node');
	if (isObject(stored)) return stored;
	tell();
	const trigger = triggerOf(context);
	const kept = unsaved.get(trigger) ?? {};
	unsaved.set(trigger, kept);
	keepLatest(unsaved, 1_000);
	return kept;
}

/** Each text that was logged, because a trigger reads what is stored at every delivery. */
const warned = new Set<string>();

function warn(context: Context, misfits: readonly string[]): void {
	const parts = misfits.slice(0, 5).join(', ');
	const others = misfits.length > 5 ? ` and ${misfits.length - 5} others` : '';
	const text = `${context.getNode().name} cannot read a part of what n8n stored with the workflow (${parts}${others}) and begins that part anew. An event may start no run, or a second one.`;
	const line = `${triggerOf(context)} ${text}`;
	if (warned.has(line)) return;
	warned.add(line);
	keepLatest(warned, 1_000);
	context.logger.warn(text);
}
