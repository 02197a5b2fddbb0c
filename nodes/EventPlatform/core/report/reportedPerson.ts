import { attributesOf } from '../client/document';
import { normalizeAddress } from '../people/address';
import { registeredAtSeconds } from '../people/registrationTime';
import { parseCount, parseFlag } from '../dialect/flags';
import { answersIn, registrationOf, standingOf, type Standing } from '../dialect/person';
import { fullName } from '../records/simplify';
import type { Json, JsonObject } from '../values/json';
import { text } from '../values/text';
import { isWithheld } from '../values/secrets';
import type { Seconds } from '../values/units';
import { readAttendance, type Attendance, type SessionTimes } from './attendance';

/** A report is about registrants; the team and guests are only counted. */
export type ReportedStanding = Exclude<Standing, 'unclear'>;

export type Origin = 'referrer' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'country';

/**
 * The facts about a person of a session, or of all sessions of an event, that a report uses. A member is undefined where the
 * platform does not give it.
 */
export interface ReportedPerson extends Attendance {
	/** The text that is the same for a person in several sessions: the address, or the id where there is none. */
	key?: string;
	id?: string;
	standing: ReportedStanding;
	email?: string;
	firstName?: string;
	lastName?: string;
	/** The sessions of an event that count, in which the person is registered, and those that the person attended. */
	sessionsRegistered?: number;
	sessionsAttended?: number;
	/** When the latest session began that the person attended, in Unix seconds. */
	lastAttendedAt?: Seconds;
	hasViewedReplay?: boolean;
	messages?: number;
	questions?: number;
	/** Votes in polls. */
	votes?: number;
	upVotes?: number;
	/** In Unix seconds. */
	registeredAt?: Seconds;
	origin: Partial<Record<Origin, string>>;
	/** The answers by the id of the question. A multiple choice has several texts. */
	answers: ReadonlyMap<string, readonly string[]>;
}

export function readPerson(record: JsonObject, session: SessionTimes = {}): ReportedPerson {
	const attributes = attributesOf(record);
	const detail = registrationOf(record);
	const email = text(attributes.email).trim() || undefined;
	const id = text(record.id) || undefined;
	return {
		key: (email && normalizeAddress(email)) || id,
		id,
		standing: reportedStandingOf(record),
		email,
		firstName: text(attributes.first_name).trim() || undefined,
		lastName: text(attributes.last_name).trim() || undefined,
		...readAttendance(record, session),
		hasViewedReplay: parseFlag(detail.has_viewed_replay),
		messages: parseCount(attributes.messages_count),
		questions: parseCount(attributes.questions_count),
		votes: parseCount(attributes.votes_count),
		upVotes: parseCount(attributes.up_votes_count),
		registeredAt: registeredAtSeconds(record),
		origin: readOrigin(detail),
		answers: readAnswers(detail),
	};
}

export function personName({ firstName = '', lastName = '', email = '' }: ReportedPerson): string {
	return fullName({ first_name: firstName, last_name: lastName }) || email;
}

/** Somebody with an unknown role is counted, because a report that leaves people out misleads. */
export function reportedStandingOf(record: JsonObject): ReportedStanding {
	const standing = standingOf(record);
	return standing === 'unclear' ? 'registrant' : standing;
}

function readOrigin(detail: JsonObject): Partial<Record<Origin, string>> {
	const values: Record<Origin, Json | undefined> = {
		referrer: withoutQuery(text(detail.referrer)),
		utm_source: detail.utm_source,
		utm_medium: detail.utm_medium,
		utm_campaign: detail.utm_campaign,
		country: detail.ip_country_name ?? detail.ip_country_code,
	};
	const filled = Object.entries(values).flatMap(([name, value]) => {
		const words = text(value).trim();
		return words === '' ? [] : [[name, words] as const];
	});
	return Object.fromEntries(filled);
}

/** The text behind "?" or "#" differs from person to person, and may name them. */
function withoutQuery(referrer: string): string {
	const [page = ''] = referrer.trim().split(/[?#]/, 1);
	return page.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
}

function readAnswers(registration: JsonObject): Map<string, string[]> {
	const answers = new Map<string, string[]>();
	for (const [id, answer] of answersIn(registration)) {
		const texts = [answer.value ?? null].flat().map((value) => text(value).trim());
		if (id !== '' && !isWithheld(id)) answers.set(id, texts.filter(Boolean));
	}
	return answers;
}
