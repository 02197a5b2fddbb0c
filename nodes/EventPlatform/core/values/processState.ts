/*
 * What lives as long as the process, what it is for, and when it is forgotten. n8n runs the nodes of all workflows in one process for
 * months, so nothing may grow without a limit. What has to outlive the process is stored with the workflow, in triggers/storage.ts.
 *
 * What else lives as long goes by itself: which contexts have polled (triggers/polling.ts) and the questions of saved columns
 * (form/mapperColumns.ts) when n8n lets go of these, and what is being read (failures/readings.ts) when its reading ends. The time
 * that never goes back (n8n/clock.ts) and the start of the process (polling/schedule/dueWork.ts) are three numbers.
 */
import { dayMs, type Ms } from './units';

interface Rule {
	/** How many there may be. Those that were written longest ago go first. */
	most: number;
	/** After this time without a write one is forgotten, when the next one is written. Absent: only the number counts. */
	unusedForMs?: Ms;
}

const rules = {
	/**
	 * The queue in which the requests with a token wait for their turn. A second one for a token would send faster than the platform
	 * allows, so that none goes that is in use; after a day only the month is of use in it, which the next response tells.
	 */
	requestQueues: { most: Infinity, unusedForMs: dayMs },
	/** What the platform refuses in queries, by token: a few entries each, which count for a day. */
	refusedQueries: { most: 1_000, unusedForMs: dayMs },
	/** The people of the latest jobs, to name those whom the platform refused. With fifty people each they take 5 MB. */
	peopleOfJobs: { most: 1_000 },
	/** The formats that tell the offsets of time zones. Making one takes far longer than asking it. */
	zoneFormats: { most: 100 },
	/** What each webhook trigger remembers of deliveries, with the next two in it. The longest time between two checks of a subscription is a month. */
	deliveryHistories: { most: 1_000, unusedForMs: 40 * dayMs },
	/** The events that have started a run. Between the first attempt and the last are 22 minutes: ten thousand are seven events a second. */
	eventKeys: { most: 10_000 },
	/** When the first attempt of an event failed. Where that is forgotten, the last attempt is answered like the first one. */
	failedAttempts: { most: 1_000 },
	/** What the webhook triggers of a token know of sessions, which is read again after a day, with the next in it. */
	sessionFacts: { most: 1_000, unusedForMs: 2 * dayMs },
	/** The facts of each session. One that is forgotten is read again. */
	factsOfSessions: { most: 1_000 },
	/** What each trigger has said in the log, which its next polls and deliveries would say again. */
	loggedOnce: { most: 4_000 },
	/** When each status was last logged for a trigger, so that a stranger cannot fill the log. */
	loggedDeliveries: { most: 1_000 },
	/** What each polling trigger owes, and when n8n last called it. */
	pollingTriggers: { most: 10_000 },
	/** How far the clock of the process is ahead of the platform's, by polling trigger. Where that is forgotten, what is stored counts. */
	clocksAhead: { most: 1_000, unusedForMs: dayMs },
	/** The month as the last poll with each token has shown it. */
	monthsOfPolling: { most: 10_000 },
	/** The sessions to come, by token: a thousand of them take 3 MB. They are listed again within the hour. */
	sessionsToCome: { most: 100, unusedForMs: dayMs },
	/** How far ahead the triggers of a token need them. */
	spansToCome: { most: 1_000, unusedForMs: 2 * dayMs },
	/** The triggers whose poll is under way. Each goes when its poll ends. */
	pollsUnderWay: { most: Infinity },
} satisfies Record<string, Rule>;

interface Entry<Value> {
	value: Value;
	writtenAtMs: Ms;
}

/** A map that lives as long as the process, and forgets by its rule. */
export class ProcessMap<Value> {
	private readonly entries = new Map<string, Entry<Value>>();
	private readonly rule: Rule;

	constructor(name: keyof typeof rules) {
		this.rule = rules[name];
	}

	get(key: string): Value | undefined {
		return this.entries.get(key)?.value;
	}

	values(): Value[] {
		return [...this.entries.values()].map(({ value }) => value);
	}

	/** Those that were written longest ago come first. */
	keys(): string[] {
		return [...this.entries.keys()];
	}

	has(key: string): boolean {
		return this.entries.has(key);
	}

	/** Writes a value, which counts as a use of it, and forgets others by the rule. */
	set(key: string, value: Value): void {
		const nowMs = Date.now();
		this.entries.delete(key);
		this.entries.set(key, { value, writtenAtMs: nowMs });
		const { most, unusedForMs } = this.rule;
		for (const [oldest, { writtenAtMs }] of this.entries) {
			const isUnused = unusedForMs !== undefined && nowMs - writtenAtMs > unusedForMs;
			if (this.entries.size > most || isUnused) this.entries.delete(oldest);
			// After a clock was set back an older time may stand behind a newer one, so all are looked at.
			else if (unusedForMs === undefined) return;
		}
	}

	delete(key: string): void {
		this.entries.delete(key);
	}
}
