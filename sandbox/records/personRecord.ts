import type { ApiRecord } from '../platform';
import type { Row } from '../store/store';
import { site } from './links';

/** One answer of the registration form. */
export interface FieldAnswer {
	id: string;
	type: 'text' | 'file' | 'multiple';
	value: string | string[] | null;
	required: boolean;
}

export interface Tracking {
	referrer: string | null;
	utm_source: string | null;
	utm_medium: string | null;
	utm_campaign: string | null;
	utm_term: string | null;
	utm_content: string | null;
}

export const trackingNames = [
	'referrer',
	'utm_source',
	'utm_medium',
	'utm_campaign',
	'utm_term',
	'utm_content',
] as const;

export const selectPeople = 'SELECT p.* FROM people p';
export const fromRegistrations = 'FROM registrations r JOIN people p ON p.id = r.person_id';

/** A person inside a session: the registration with the columns of its person. */
export const selectRegistrations = `SELECT p.id, p.role AS person_role, p.email, p.first_name, p.last_name,
	p.avatar_link, p.timezone, r.* ${fromRegistrations}`;

export function personRecord(row: Row): ApiRecord {
	return {
		id: String(row['id']),
		type: 'people',
		attributes: {
			role: row['role'],
			email: row['email'],
			first_name: row['first_name'],
			last_name: row['last_name'],
			avatar_link: row['avatar_link'],
			timezone: row['timezone'],
			created_at: row['created_at'],
			updated_at: row['updated_at'],
		},
	};
}

/** People of an event; of several registrations the latest is shown. */
export const selectEventPeople = `SELECT p.*, r.event_id, r.role AS event_role, r.fields,
	r.created_at AS registered_at, r.updated_at AS registration_updated_at
	FROM event_people ep JOIN people p ON p.seq = ep.person_seq
	JOIN registrations r ON r.seq = (SELECT max(l.seq) FROM registrations l
		WHERE l.person_id = p.id AND l.event_id = ep.event_id)`;

/** A person of an event: of the registration only the answers, which team members do not have. */
export function eventPersonRecord(row: Row): ApiRecord {
	const person = personRecord(row);
	const answers = JSON.parse(String(row['fields'])) as FieldAnswer[];
	const isTeam = row['event_role'] === 'team_member';
	const registrant_detail = {
		event_id: row['event_id'],
		created_at: row['registered_at'],
		updated_at: row['registration_updated_at'],
		fields: isTeam ? answers.map((answer) => ({ ...answer, value: null })) : answers,
	};
	return { ...person, attributes: { ...person.attributes, registrant_detail } };
}

/** A person inside a session, with the registration. */
export function sessionPersonRecord(row: Row): ApiRecord {
	const person = personRecord(row);
	const key = String(row['password_key']);
	const login = new URLSearchParams({
		email: String(row['email']),
		key,
		s: String(row['session_id']),
	});
	return {
		...person,
		attributes: {
			...person.attributes,
			registrant_detail: {
				event_id: row['event_id'],
				session_id: row['session_id'],
				created_at: row['created_at'],
				updated_at: row['updated_at'],
				fields: JSON.parse(String(row['fields'])) as FieldAnswer[],
				...(JSON.parse(String(row['tracking'])) as Tracking),
				connection_link: `${site}/p/${String(row['event_id'])}/live?${login.toString()}`,
				password_key: key,
				attended: row['attended'] === 1,
				attendance_rate: row['attended'] === 1 ? row['attendance_rate'] : null,
				attendance_duration: row['attendance_duration'],
				has_viewed_replay: row['has_viewed_replay'] === 1,
				registration_type: row['registration_type'],
				...deviceOf(row),
				is_highlighted: false,
				is_guest_speaker: false,
				session_role: null,
			},
			messages_count: row['messages_count'],
			questions_count: row['questions_count'],
			votes_count: row['votes_count'],
			up_votes_count: row['up_votes_count'],
			replay_view_detail: row['has_viewed_replay'] === 1 ? { views_count: 1 } : null,
		},
	};
}

/** The registration page and the room see a person's device: nothing is known of somebody whom the API registered and who did not come. */
function deviceOf(row: Row): Record<string, string | null> {
	const isSeen = row['attended'] === 1 || row['registration_type'] === 'page';
	const place = places[Number(row['seq']) % places.length];
	const seen = {
		browser_name: 'Firefox',
		browser_version: '145.0',
		os_name: 'Linux',
		os_version: '6.12',
		screen_height: '1080',
		screen_width: '1920',
		...place,
	};
	return Object.fromEntries(
		Object.entries(seen).map(([name, value]) => [name, isSeen ? value : null]),
	);
}

const places = [
	{ ip_city: 'Lisbon', ip_country_code: 'PT', ip_country_name: 'Portugal' },
	{ ip_city: 'Lyon', ip_country_code: 'FR', ip_country_name: 'France' },
	{ ip_city: 'Porto', ip_country_code: 'PT', ip_country_name: 'Portugal' },
	{ ip_city: 'Hamburg', ip_country_code: 'DE', ip_country_name: 'Germany' },
	{ ip_city: 'Boston', ip_country_code: 'US', ip_country_name: 'United States' },
];
