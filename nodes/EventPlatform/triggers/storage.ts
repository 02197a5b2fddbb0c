import type { IDataObject, IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import type {
	ContentBookmark,
	Cursor,
	DuePeople,
	EventsBookmark,
	HiddenPeople,
	PeopleBookmark,
	ReadPeople,
	RestOfPeople,
	TimedBookmark,
	SessionsView,
} from '../core/polling/cursor';
import { DeliveryHistory, type Stored } from '../core/webhooks/history';
import type { Gap, MadeWebhook, Subscription } from '../core/webhooks/gap';
import { isObject } from '../core/values/json';
import { ProcessMap } from '../core/values/processState';
import type { Spent } from '../core/webhooks/lookupBudget';
import type { StoredAllowance } from '../core/polling/allowance';
import {
	countReader,
	idReader,
	listOf,
	mapOf,
	millisecondsReader,
	numberReader,
	secondsReader,
	shapeOf,
	switchReader,
	textReader,
	unionOf,
	urlReader,
	wordReader,
	type Reader,
} from './shapeReaders';

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
	/** What the polls have cost. */
	allowance?: StoredAllowance;
	/** When the trigger began, by our clock, where nothing could be read since then. */
	begunAtMs?: number;
}

/** Reads a copy, so that the stored data stay as they are until a poll has come to its end. */
export function readPolling(context: Context): StoredPolling {
	return readStored(context, pollingReader);
}

/** Writes the changed parts; the others stay as they are. */
export function storePolling(context: Context, changed: StoredPolling): void {
	Object.assign(storeOf(context), changed);
}

/** Reads a copy of what the webhook trigger keeps of deliveries and of our subscriptions. */
export function readDeliveries(context: Context): Stored {
	return readStored(context, deliveriesReader);
}

/** Writes what the process knows of deliveries, and only what changed, because each change goes to the database. */
export function storeDeliveries(context: Context, history: DeliveryHistory): void {
	const store = storeOf(context);
	const subscription = subscriptionReader(store.subscription, () => {});
	const changed = Object.entries(history.toStored(subscription)).filter(
		([name, value]) => JSON.stringify(value) !== JSON.stringify(store[name]),
	);
	Object.assign(store, Object.fromEntries(changed));
}

/** Writes the webhooks that a trigger has made on the platform. */
export function storeSubscription(context: Context, subscription: Subscription): void {
	Object.assign(storeOf(context), { subscription: { ...subscription } });
}

export function forgetSubscription(context: Context): void {
	delete storeOf(context).subscription;
}

/** Gives the key of a trigger in the memory of this process. A test in the editor shares nothing with the trigger in use. */
export function triggerKey(context: Context): string {
	const use = context.getMode() === 'manual' ? 'test' : '';
	return `${context.getWorkflow().id ?? ''} ${context.getNode().id} ${use}`;
}

const histories = new ProcessMap<DeliveryHistory>('deliveryHistories');

/**
 * n8n gives each delivery a copy of its own of what is stored, and the last one to be saved wins: what the process knows
 * is kept here. Several processes (queue mode) share only what is stored, so that two may start a run for the same event.
 */
export function historyOf(context: Context): DeliveryHistory {
	const trigger = triggerKey(context);
	const stored = readDeliveries(context);
	const history = histories.get(trigger) ?? new DeliveryHistory(stored);
	histories.set(trigger, history);
	history.merge(stored);
	return history;
}

const timedBookmarkReader: Reader<TimedBookmark> = shapeOf<TimedBookmark>(['sinceAt', 'seen'], {
	sinceAt: secondsReader,
	seen: textReader,
});

/** The fields that all kinds of bookmarks of people have. */
const peopleReaders = {
	sinceAt: secondsReader,
	seen: textReader,
	untimed: textReader,
	isComplete: switchReader,
};

/** The fields that tell in which state a list of people was read. */
const listStateReaders = {
	facts: textReader,
	readAt: secondsReader,
	changedAt: secondsReader,
	attendance: wordReader('notOver', 'open', 'settled'),
};

const peopleReader: Reader<PeopleBookmark> = unionOf<PeopleBookmark>({
	due: shapeOf<DuePeople>(['kind', 'sinceAt', 'seen', 'isComplete'], {
		kind: wordReader('due'),
		...peopleReaders,
		triedAt: secondsReader,
		rest: shapeOf<RestOfPeople>(['page', 'isFirstAfterEnd', 'facts', 'readAt', 'attendance'], {
			page: countReader,
			changedSinceAt: secondsReader,
			isFirstAfterEnd: switchReader,
			...listStateReaders,
		}),
	}),
	read: shapeOf<ReadPeople>(
		['kind', 'sinceAt', 'seen', 'isComplete', 'facts', 'readAt', 'attendance'],
		{
			kind: wordReader('read'),
			...peopleReaders,
			...listStateReaders,
		},
	),
	hidden: shapeOf<HiddenPeople>(['kind', 'sinceAt', 'seen', 'isComplete', 'hiddenAt'], {
		kind: wordReader('hidden'),
		...peopleReaders,
		hiddenAt: secondsReader,
	}),
});

const viewReader: Reader<SessionsView> = shapeOf<SessionsView>(
	['searchKey', 'listedAt', 'pages', 'requestsInParts', 'hasOnDemand'],
	{
		searchKey: textReader,
		listedAt: secondsReader,
		pages: countReader,
		requestsInParts: countReader,
		hasOnDemand: switchReader,
	},
);

const cursorReader: Reader<Cursor> = shapeOf<Cursor>(['startedAt', 'polledAt', 'people'], {
	startedAt: secondsReader,
	startFrom: secondsReader,
	polledAt: secondsReader,
	events: shapeOf<EventsBookmark>(['sinceAt', 'seen'], {
		sinceAt: secondsReader,
		seen: textReader,
		readAt: secondsReader,
	}),
	sessions: timedBookmarkReader,
	people: mapOf(peopleReader),
	contents: mapOf(
		shapeOf<ContentBookmark>(['readAt', 'seen'], {
			readAt: secondsReader,
			sinceAt: secondsReader,
			seen: textReader,
			kept: textReader,
		}),
	),
	jobs: textReader,
	view: viewReader,
	openSessionIds: listOf(idReader),
	registrationTimes: wordReader('present', 'missing'),
	hasMore: switchReader,
});

const allowanceReader: Reader<StoredAllowance> = shapeOf<StoredAllowance>(
	['owed', 'atMs', 'cost', 'startPollAtMs'],
	{
		owed: numberReader(-1e9, 1e9),
		atMs: millisecondsReader,
		cost: countReader,
		startPollAtMs: millisecondsReader,
	},
);

const gapReader: Reader<Gap> = shapeOf<Gap>(['beganAtMs'], {
	beganAtMs: (value, tell) => {
		const beganAtMs = mapOf(millisecondsReader)(value, tell) ?? {};
		return Object.keys(beganAtMs).length > 0 ? beganAtMs : undefined;
	},
	endedAtMs: millisecondsReader,
	cursor: cursorReader,
});

const madeWebhookReader = shapeOf<MadeWebhook>(['id', 'url'], {
	id: idReader,
	url: urlReader,
	keyDigest: textReader,
});

const subscriptionReader = shapeOf<Subscription>(['url', 'ids', 'madeAt', 'seenAt', 'owner'], {
	url: urlReader,
	ids: mapOf(idReader),
	former: listOf(madeWebhookReader),
	hiddenEventTypes: listOf(textReader),
	madeAt: millisecondsReader,
	seenAt: millisecondsReader,
	// The clock of the platform may be ahead of ours or behind it.
	aheadMs: numberReader(-8.64e15, 8.64e15),
	missed: gapReader,
	keyDigest: textReader,
	owner: textReader,
});

const spentReader = shapeOf<Partial<Spent>>([], {
	lookedUpAt: listOf(millisecondsReader),
	dayBeganAt: millisecondsReader,
	unproven: countReader,
});

const pollingReader = shapeOf<StoredPolling>([], {
	cursor: cursorReader,
	allowance: allowanceReader,
	begunAtMs: millisecondsReader,
});

const deliveriesReader = shapeOf<Stored>([], {
	subscription: subscriptionReader,
	seen: textReader,
	arrived: mapOf(millisecondsReader),
	spent: spentReader,
});

function readStored<Value extends object>(context: Context, reader: Reader<Value>): Value {
	const misfits: string[] = [];
	const store = storeOf(context, () => misfits.push('everything'));
	const stored = reader(store, (path) => misfits.push(path));
	if (misfits.length > 0) warn(context, misfits);
	return stored ?? ({} as Value);
}

const unsaved = new ProcessMap<IDataObject>('unsavedData');

/** The place where n8n keeps what a trigger stores; what cannot be stored there lives as long as the process. */
function storeOf(context: Context, tell = () => {}): IDataObject {
	const stored: unknown = context.getWorkflowStaticData('node');
	if (isObject(stored)) return stored;
	tell();
	const trigger = triggerKey(context);
	const kept = unsaved.get(trigger) ?? {};
	unsaved.set(trigger, kept);
	return kept;
}

const warnings = new ProcessMap<true>('storageWarnings');

function warn(context: Context, misfits: readonly string[]): void {
	const parts = misfits.slice(0, 5).join(', ');
	const others = misfits.length > 5 ? ` and ${misfits.length - 5} others` : '';
	const text = `${context.getNode().name} cannot read a part of what n8n stored with the workflow (${parts}${others}) and begins that part anew. An event may start no run, or a second one.`;
	const line = `${triggerKey(context)} ${text}`;
	if (warnings.has(line)) return;
	warnings.set(line, true);
	context.logger.warn(text);
}
