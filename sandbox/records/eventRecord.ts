import type { ApiRecord } from '../platform';
import type { Row } from '../store/store';
import { site } from './links';

/** The switches of an event, as a new event has them; null: nobody has set it. */
export const defaultSwitches = {
	everyone_can_speak: false,
	recording_enabled: true,
	recording_public: null as boolean | null,
	show_in_company_page: false,
	chat_enabled: true,
	questions_enabled: true,
	polls_enabled: true,
	detailed_registration_page_enabled: false,
	light_registration_page_enabled: true,
	registration_page_enabled: true,
};

/** The switch that can be set and is never shown. */
const writeOnly: keyof typeof defaultSwitches = 'detailed_registration_page_enabled';

/** A question of the registration form. */
export interface FormField {
	id: string;
	type: 'text' | 'file' | 'multiple';
	order: number;
	required: boolean;
	custom?: boolean;
	options?: { items: Array<{ value: string }>; multiple_answers: boolean };
}

export const defaultForm: FormField[] = [
	{ id: 'email', type: 'text', order: 0, required: true },
	{ id: 'first_name', type: 'text', order: 1, required: true },
	{ id: 'last_name', type: 'text', order: 2, required: true },
];

const some = (condition: string) =>
	`EXISTS (SELECT 1 FROM sessions x WHERE x.event_id = e.id AND x.canceled_at = 0 AND ${condition})`;

/** A session that was due an hour ago and nobody started counts as not started. */
export const lateSeconds = 3600;

export const schedulingStatus = `CASE
	WHEN e.status = 'draft' THEN 'draft'
	WHEN NOT EXISTS (SELECT 1 FROM sessions x WHERE x.event_id = e.id) THEN 'not_scheduled'
	WHEN ${some('x.started_at > 0 AND x.ended_at = 0')} THEN 'live'
	WHEN ${some(`x.started_at = 0 AND x.estimated_started_at >= unixepoch() - ${lateSeconds}`)} THEN 'upcoming'
	WHEN ${some('x.ended_at > 0 AND x.on_demand = 1')} THEN 'on_demand'
	WHEN ${some('x.ended_at > 0')} THEN 'ended'
	WHEN ${some('x.started_at = 0')} THEN 'not_started'
	ELSE 'cancelled' END`;

export const selectEvents = `SELECT e.*, ${schedulingStatus} AS scheduling_status,
	(SELECT count(*) FROM sessions x WHERE x.event_id = e.id) AS sessions_count,
	(SELECT json_object('id', u.id, 'type', 'people', 'attributes', json_object(
		'role', 'team_member', 'created_at', u.created_at, 'updated_at', u.updated_at,
		'timezone', 'Europe/Paris', 'first_name', u.first_name, 'last_name', u.last_name,
		'email', u.email, 'avatar_link', NULL
	)) FROM users u WHERE u.id = e.owner_id) AS owner
	FROM events e`;

/** An event as the API shows it. */
export function eventRecord(row: Row): ApiRecord {
	const set = JSON.parse(String(row['switches'])) as typeof defaultSwitches;
	const switches = Object.entries({ ...defaultSwitches, ...set });
	return {
		id: String(row['id']),
		type: 'events',
		attributes: {
			title: row['title'],
			slug: row['slug'],
			registration_link: `${site}/e/${String(row['slug'])}`,
			estimated_duration: row['estimated_duration'],
			description: row['description'],
			status: row['status'],
			scheduling_status: row['scheduling_status'],
			language: row['language'],
			owner: row['owner'] === null ? null : (JSON.parse(String(row['owner'])) as ApiRecord),
			published_at: row['published_at'],
			created_at: row['created_at'],
			updated_at: row['updated_at'],
			sessions_count: row['sessions_count'],
			...Object.fromEntries(switches.filter(([name]) => name !== writeOnly)),
			fields: formOf(row),
		},
	};
}

/** A field of the form as a request gives it. */
export type FormFieldToWrite = Pick<FormField, 'id'> & Partial<FormField>;

/** The form that a request asks for. Without a field for the address nobody could register. */
export function formFrom(fields: readonly FormFieldToWrite[]): FormField[] {
	const asked = fields.some(({ id }) => id === 'email') ? fields : [{ id: 'email' }, ...fields];
	return asked.map(({ options, ...field }, order) => ({
		type: 'text',
		order,
		required: field.id === 'email',
		...field,
		...(options && {
			options: { ...options, multiple_answers: options.multiple_answers ?? false },
		}),
	}));
}

export function formOf(row: Row): FormField[] {
	return JSON.parse(String(row['fields'])) as FormField[];
}
