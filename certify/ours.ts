import { Failure } from '../nodes/EventPlatform/core/client/failure';
import { Cancelled } from '../nodes/EventPlatform/core/client/clock';
import { isObject, type JsonObject } from '../nodes/EventPlatform/core/values/json';
import { readPage, readRecord } from '../nodes/EventPlatform/core/client/document';
import { largestPage } from '../nodes/EventPlatform/core/client/pages';
import { readErrors } from '../nodes/EventPlatform/core/dialect/errors';
import { saysNoPage } from '../nodes/EventPlatform/core/dialect/refusals';
import { pathTo } from '../nodes/EventPlatform/core/client/path';
import type { ApiRequest } from '../nodes/EventPlatform/core/client/request';
import { type Asker, Ended, type Question } from './ask';
import type { Entry, Journal } from './journal';
import type { Thing } from './marks';
import type { Exchange } from './seen';

const plural: Record<Thing, string> = {
	event: 'events',
	session: 'sessions',
	person: 'people',
	webhook: 'webhooks',
};

/** Something that is not in the journal, or whose record does not carry its mark. It is never touched. */
class NotOurs extends Error {
	override readonly name = 'NotOurs';
}

type Change = Omit<Question, 'path'>;

/** Everything that leaves and is no GET goes through here, so nothing can be changed that this run has not made. */
export class Ours {
	private static readonly permitted = new WeakSet<ApiRequest>();

	constructor(
		readonly journal: Journal,
		private readonly asker: Asker,
	) {}

	/** Guards the edge. A request that `send` below did not make does not leave. */
	static guard(this: void, request: ApiRequest): void {
		if (request.method !== 'GET' && !Ours.permitted.has(request)) {
			throw new NotOurs(`${request.method} did not come through the journal`);
		}
	}

	/** Journal first, request second; the id counts only when the record in the response carries the mark. */
	async create(
		name: string,
		entry: Entry,
		within: Entry | undefined,
		change: Change,
	): Promise<Exchange> {
		const sentAt = this.asker.parts.clock.now();
		this.journal.write(Object.assign(entry, { sentAt }));
		const at = within ? [within] : [];
		const exchange = await this.send(name, at, `/${plural[entry.kind]}`, change);
		this.learn(entry, { ...change, path: `/${plural[entry.kind]}` }, exchange);
		return exchange;
	}

	/** Something that is done to what was made, or to what is in it. */
	change(name: string, at: readonly Entry[], below: string, change: Change): Promise<Exchange> {
		return this.send(name, at, below, change);
	}

	/**
	 * Reads it first: what does not carry the mark stays, and so does its journal. Looks again afterwards, because a
	 * response to a DELETE is only a promise. False: it is there, or nobody knows.
	 */
	async remove(entry: Entry, within: readonly Entry[] = [], name?: string): Promise<boolean> {
		if (entry.removed) return true;
		for (let deletions = 0; ; deletions++) {
			const ids = await this.look(entry, within);
			if (ids === 'unknown') return false;
			if (ids.length === 0) break;
			// A platform that does not remove it is not asked for ever.
			if (deletions === mostDeletions) return false;
			for (const id of ids) {
				const isFirst = deletions === 0 && id === ids[0];
				if (!(await this.delete(entry, id, isFirst ? name : undefined))) return false;
			}
		}
		// People go with their session.
		const gone =
			entry.kind === 'session' ? this.journal.entries.filter(({ kind }) => kind === 'person') : [];
		for (const removedEntry of [...gone, entry]) {
			this.journal.write({ ...removedEntry, removed: true });
		}
		return true;
	}

	/** The ids of all that carries the mark of an entry, to the letter; the record with its id is looked at by itself. */
	private async look(entry: Entry, within: readonly Entry[]): Promise<string[] | 'unknown'> {
		const listed = await this.find(entry, within);
		const ids = listed
			.filter((record) => hasMark(entry, record))
			.flatMap((record) => idOf(record) ?? []);
		const { id } = entry;
		if (id === undefined || ids.includes(id)) return ids;
		const record =
			listed.find((listedRecord) => idOf(listedRecord) === id) ?? (await this.read(entry));
		if (record === 'gone') return ids;
		// Somebody has renamed it: it is theirs now.
		return record === 'unknown' || !hasMark(entry, record) ? 'unknown' : [...ids, id];
	}

	/** False: nobody knows whether the platform has taken the request. A 404 is looked at by looking again. */
	private async delete(entry: Entry, id: string, name: string | undefined): Promise<boolean> {
		const written = this.journal.write({ ...entry, id });
		const exchange = await this.send(name, [written], '', {
			method: 'DELETE',
			operation: `delete${entry.kind.charAt(0).toUpperCase()}${entry.kind.slice(1)}`,
			retry: 'idempotent',
		});
		return 'status' in exchange && (exchange.status < 300 || exchange.status === 404);
	}

	/** The only function that sends anything but a GET. Every id in the path is one of the journal. */
	private send(name: string | undefined, at: readonly Entry[], below: string, change: Change) {
		for (const entry of at) {
			const written = this.journal.find(entry.kind, entry.mark);
			if (written?.id === undefined || written.id !== entry.id) {
				throw new NotOurs(`A ${entry.kind} is not in the journal`);
			}
		}
		if (at.length === 0 && change.method !== 'POST') throw new NotOurs('Nothing of ours is named');
		const path = at.map(pathOf).join('');
		const question: Question = { ...change, path: path + below };
		Ours.permitted.add(question);
		return name === undefined ? this.asker.askUnnamed(question) : this.asker.ask(name, question);
	}

	private learn(entry: Entry, question: ApiRequest, exchange: Exchange): void {
		const record = recordIn(question, exchange);
		const id = record && idOf(record);
		if (id === undefined || !record || !hasMark(entry, record)) return;
		this.journal.write(Object.assign(entry, { id }));
	}

	/**
	 * The list that a record would stand in. A request whose response is not known may still be on its way, so nothing is
	 * believed to be missing before its time is over.
	 */
	private async find(entry: Entry, within: readonly Entry[]): Promise<JsonObject[]> {
		const { clock, signal } = this.asker.parts;
		for (;;) {
			const { id, sentAt = 0 } = entry;
			const isSettled = id !== undefined || clock.now() - sentAt >= settledMs;
			const records = await this.list(entry, within);
			if (isSettled || records.some((record) => hasMark(entry, record))) return records;
			await clock.sleep(lookAgainMs, signal);
		}
	}

	private async read(entry: Entry): Promise<JsonObject | 'gone' | 'unknown'> {
		// A subscription cannot be read alone, and its list has just been read.
		if (entry.kind === 'webhook') return 'gone';
		const question = { method: 'GET', path: pathOf(entry), operation: 'getEvent' } as const;
		const exchange = await this.asker.askUnnamed(question);
		if ('status' in exchange && exchange.status === 404) return 'gone';
		return recordIn(question, exchange) ?? 'unknown';
	}

	private async list({ kind, mark }: Entry, within: readonly Entry[]): Promise<JsonObject[]> {
		if (kind === 'webhook') return (await this.pages('/webhooks')) ?? [];
		if (kind === 'event') {
			const events = await this.pages('/events', { 'filter[title]': mark });
			// A platform that refuses the first page of an empty list may just as well have refused the filter.
			return events ?? (await this.pages('/events')) ?? [];
		}
		// Without its event no session can have been asked for.
		const event = within.find(({ id }) => id !== undefined);
		if (event?.id === undefined) return [];
		return (await this.pages(pathTo`/events/${event.id}/sessions`)) ?? [];
	}

	/**
	 * Every page, or an error: what was not read to its end proves nothing. Each page names the next one, because whether
	 * pages count from 0, as the connector does, is only known when a run is over. Undefined: the list has no first page (4.2).
	 */
	private async pages(
		path: string,
		query: Question['query'] = {},
	): Promise<JsonObject[] | undefined> {
		const records: JsonObject[] = [];
		let at: Question['query'] = {};
		for (let pages = 0; pages < mostPages; pages++) {
			const question: Question = {
				method: 'GET',
				path,
				query: { ...query, 'page[size]': largestPage, ...at },
				operation: 'list',
			};
			const exchange = await this.asker.askUnnamed(question);
			if (pages === 0 && isRefusedAsNoPage(exchange)) return undefined;
			if ('lost' in exchange || exchange.status >= 300) throw new Unreadable();
			records.push(...readPage(question, exchange).records);
			const { meta } = exchange.body as JsonObject;
			const next = isObject(meta) ? meta['next_page'] : null;
			if (typeof next !== 'number') return records;
			at = { 'page[number]': next };
		}
		throw new Unreadable();
	}
}

function isRefusedAsNoPage(exchange: Exchange): boolean {
	if ('lost' in exchange || exchange.status !== 400) return false;
	const errors = readErrors(exchange.body);
	return errors.length === 0 || saysNoPage(errors);
}

/** A list that tells whether something is there could not be read. */
export class Unreadable extends Error {
	override readonly name = 'Unreadable';
}

const mostPages = 20;
/** A response is waited for thirty seconds at most; nothing that was sent is done later than this. */
const settledMs = 60_000;
const lookAgainMs = 10_000;
/** The second one is for a platform that answers the first with an error, or does nothing. */
const mostDeletions = 2;

/** Where what was made is found. */
function pathOf({ kind, id }: Entry): string {
	return pathTo`/${plural[kind]}/${id}`;
}

/** The record in a response, if there is one. */
function recordIn(request: ApiRequest, exchange: Exchange): JsonObject | undefined {
	if ('lost' in exchange) return undefined;
	try {
		return readRecord(request, exchange);
	} catch (error) {
		if (error instanceof Failure) return undefined;
		throw error;
	}
}

/** Some platforms count their records, and send the number as a number. */
function idOf({ id }: JsonObject): string | undefined {
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Says whether a record is ours, by a title, a name or an address as it was sent, or by the path of a subscription. */
function hasMark({ kind, mark }: Entry, { attributes }: JsonObject): boolean {
	if (!isObject(attributes)) return false;
	const { title, name, email, url } = attributes;
	if (kind === 'event') return title === mark;
	if (kind === 'session') return name === mark;
	if (kind === 'person') return email === mark;
	// A platform may drop the query of an address.
	return typeof url === 'string' && url.split('?')[0] === mark;
}

/** Removes what a journal holds. True: nothing is left. */
export async function removeAll(ours: Ours): Promise<boolean> {
	const { journal } = ours;
	const of = (kind: Thing) =>
		journal.entries.filter((entry) => entry.kind === kind && !entry.removed);
	try {
		for (const webhook of of('webhook')) await ours.remove(webhook);
		const events = journal.entries.filter(({ kind }) => kind === 'event');
		for (const session of of('session')) {
			if (!(await ours.remove(session, events))) return false;
		}
		for (const event of of('event')) {
			if (!(await ours.remove(event))) return false;
		}
	} catch (error) {
		const isExpected = [Failure, Cancelled, Ended, NotOurs, Unreadable].some(
			(kind) => error instanceof kind,
		);
		if (!isExpected) throw error;
	}
	journal.end();
	return journal.isClean;
}
