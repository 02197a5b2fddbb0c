import { largestPage, readPage } from '../http/jsonApi';
import { mapConcurrently, upTo } from '../http/collections';
import { pathTo, type Answer, type ApiRequest, type Ask, type Clock } from '../http/ports';
import { seconds, type JsonObject } from '../http/json';
import { fieldsOf, showAll, type Fields, type Show } from '../records/simplify';
import { emailOf } from '../jobs/task';

/** Up to so many people are asked for one by one before the list is looked at. */
const fewPeople = 10;
const sideBySide = 8;

/** In seconds since 1970 by the platform's clock. */
type Dates = Partial<ReturnType<typeof datesOf>>;

export interface Listed extends Dates {
	/** What is shown of the record. */
	person: JsonObject;
}

/** Who is registered for a session, by address. */
export type Presence = ReadonlyMap<string, Listed>;

export class SessionPeople {
	private readonly found = new Map<string, Listed>();
	/** As `clockLeadOf`, of all answers. */
	clockLead?: number;

	constructor(
		private readonly sessionId: string,
		private readonly ask: Ask,
		private readonly parts: { clock?: Clock; show?: Show } = {},
	) {}

	/** Person by person, or from the list where that costs less; undefined when `budget` requests are not enough. */
	async find(emails: readonly string[], budget: number): Promise<Presence | undefined> {
		let left = budget;
		if (emails.length > Math.min(fewPeople, left) && emails.length <= left * largestPage) {
			const lastPage = await this.readPage(0);
			left -= 1;
			if (emails.every((email) => this.found.has(email))) return this.found;
			if (lastPage <= Math.min(left, emails.length)) {
				await mapConcurrently(upTo(lastPage), sideBySide, (number) => this.readPage(number));
				return this.found;
			}
		}
		if (emails.length > left) return undefined;
		await mapConcurrently(emails, sideBySide, (email) => this.read({ 'filter[email]': email }));
		return this.found;
	}

	private async readPage(number: number): Promise<number> {
		return await this.read({ 'page[number]': number, 'page[size]': largestPage });
	}

	/** Gives the number of the last page, as far as this one tells. */
	private async read(query: ApiRequest['query']): Promise<number> {
		const { answer, records, meta } = await readPeople(this.ask, this.sessionId, query);
		const { clock, show = showAll } = this.parts;
		const lead = clockLeadOf(answer, clock?.now());
		if (lead !== undefined) this.clockLead = Math.max(this.clockLead ?? lead, lead);
		for (const fields of records.map(fieldsOf)) {
			const email = emailOf(fields);
			if (email === undefined) continue;
			this.found.set(email, { person: show(fields), ...datesOf(fields) });
		}
		return meta?.lastPage ?? Infinity;
	}
}

export async function readPeople(ask: Ask, sessionId: string, query: ApiRequest['query']) {
	const request = { method: 'GET', path: pathTo`/sessions/${sessionId}/people`, query } as const;
	const answer = await ask(request);
	return { request, answer, ...readPage(request, answer) };
}

/** So many milliseconds is the platform's clock at least ahead of ours; undefined where the answer has no date. */
export function clockLeadOf({ headers }: Answer, now = NaN): number | undefined {
	const lead = Date.parse(headers.date ?? '') - now;
	return Number.isNaN(lead) ? undefined : lead;
}

/** When somebody was registered, and when the person was created, who may have been on another session first. */
export function datesOf(fields: Fields) {
	const registeredAt = seconds(fields.get('registrant_created_at'));
	return { registeredAt, createdAt: seconds(fields.get('created_at')) };
}

/** `since`: in milliseconds by the platform's clock, whose dates have whole seconds. */
export function isRegisteredSince({ registeredAt, createdAt }: Dates, since: number): boolean {
	// Nobody is younger than the own registration.
	return [registeredAt, createdAt].some((at) => at !== undefined && (at + 1) * 1_000 > since);
}
