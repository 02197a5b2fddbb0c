import type { INodeListSearchItems } from 'n8n-workflow';
import { wallTime } from '../fields/typedDates';
import { text } from '../core/values/text';
import type { JsonObject } from '../core/values/json';
import { attributesOf, recordKey } from '../core/client/document';
import { shortTime } from '../core/values/shortTime';
import { fullName } from '../core/records/simplify';
import { unixMs } from '../core/dialect/time';

/** Records as the lists of the editor show them. */
export const choiceOf = {
	event(event: JsonObject): INodeListSearchItems {
		const { title, scheduling_status: status, registration_link: link } = attributesOf(event);
		return {
			name: joined(text(title) || 'Untitled event', words(status)),
			value: text(event.id),
			url: text(link) || undefined,
		};
	},

	person(person: JsonObject): INodeListSearchItems {
		const attributes = attributesOf(person);
		const name = fullName(attributes);
		const email = text(attributes.email);
		const value = text(person.id);
		return { name: name ? `${name} (${email})` : email || value, value };
	},

	recording(recording: JsonObject): INodeListSearchItems {
		const { file_name, file_type, created_at } = attributesOf(recording);
		const made = Number(created_at) > 0 ? wallTime(created_at, 'UTC')?.slice(0, 16) : undefined;
		const name = joined(text(file_name) || 'Recording', text(file_type), made);
		return { name, value: text(recording.id) };
	},

	user(user: JsonObject): INodeListSearchItems {
		const { role } = attributesOf(user);
		const { name, value } = choiceOf.person(user);
		return { name: joined(name, words(role)), value };
	},

	/** The address without its query, which may hold a key that deliveries are recognised by. */
	webhook(webhook: JsonObject): INodeListSearchItems {
		const { url, event } = attributesOf(webhook);
		const [address] = text(url).split(/[?#]/, 1);
		return { name: joined(text(event), address), value: text(webhook.id) };
	},
};

/** In the order in which people look for them. */
export function sessionChoices(records: readonly JsonObject[]): INodeListSearchItems[] {
	const recordsByKey = new Map(records.map((record) => [recordKey(record), record]));
	return records
		.filter(({ type }) => type === 'sessions')
		.map((session) => {
			const { estimated_started_at: at, status, event_id: id } = attributesOf(session);
			const event = recordsByKey.get(`events ${text(id)}`);
			const rank = ranks[text(status)] ?? 1;
			return { session, event, start: Number(at) || 0, rank };
		})
		.sort((a, b) => a.rank - b.rank || (a.rank === 0 ? a.start - b.start : b.start - a.start))
		.map(({ session, start, event }) => sessionChoice(session, start, event));
}

/** First those to come, the next one at the top; then those that were, the latest at the top. */
const ranks: Readonly<Record<string, number>> = { live: 0, upcoming: 0, canceled: 2 };

function sessionChoice(session: JsonObject, start: number, event: JsonObject = {}) {
	const { name, status, timezone, room_link: room } = attributesOf(session);
	const { title, registration_link: page } = attributesOf(event);
	const zone = text(timezone) || 'UTC';
	const time = shortTime(unixMs(start), zone);
	// "New York" of "America/New_York"; 0 means that no date is set.
	const date = start > 0 ? time && `${time} ${words(zone.split('/').pop())}` : 'no date';
	const whole = text(title) || 'Untitled event';
	// So that there is room for the name behind the title.
	const shortTitle = whole.length > 22 ? `${whole.slice(0, 21).trimEnd()}…` : whole;
	return {
		// The list cuts off long lines: the date tells the sessions of an event apart, and the status which one is over.
		name: joined(date, words(status), shortTitle, text(name)),
		value: text(session.id),
		// The same for all sessions of an event, which share a form: the mapper keeps its answers by it.
		url: text(page) || text(room) || undefined,
	};
}

function words(status: unknown): string {
	return text(status).replace(/_/g, ' ');
}

function joined(...parts: Array<string | undefined>): string {
	return parts.filter((part) => part).join(' · ');
}
