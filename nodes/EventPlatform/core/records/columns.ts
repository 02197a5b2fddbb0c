import { showAll, type Fields } from './simplify';
import type { JsonObject } from '../values/json';
import { isSameName, plainName } from '../values/text';

/* This file picks the columns that a record has in the output: the usual ones of its kind, or the ones that people chose. */

interface FieldsOfKind {
	/** The fields that people use, about ten, in the order of their columns. */
	usual: readonly string[];
	further: readonly string[];
}

export const recordKinds = {
	events: {
		usual: [
			'id',
			'type',
			'title',
			'status',
			'scheduling_status',
			'registration_link',
			'estimated_duration',
			'sessions_count',
			'created_at',
			'updated_at',
		],
		further: [
			'slug',
			'description',
			'language',
			'published_at',
			'owner_id',
			'owner_email',
			'owner_first_name',
			'owner_last_name',
			'everyone_can_speak',
			'recording_enabled',
			'recording_public',
			'show_in_company_page',
			'chat_enabled',
			'questions_enabled',
			'polls_enabled',
			'light_registration_page_enabled',
			'registration_page_enabled',
			'fields',
		],
	},
	sessions: {
		usual: [
			'id',
			'type',
			'event_id',
			'event_title',
			'name',
			'status',
			'estimated_started_at',
			'timezone',
			'registrants_count',
			'attendees_count',
		],
		further: [
			'room_link',
			'embed_url',
			'duration',
			'started_at',
			'ended_at',
			'canceled_at',
			'created_at',
			'updated_at',
			'breakout_room_parent_session_id',
		],
	},
	people: {
		usual: ['id', 'type', 'email', 'first_name', 'last_name', 'role', 'timezone', 'created_at'],
		further: ['avatar_link', 'updated_at'],
	},
	/** People of a session or an event; their type is `people` as well. */
	registrants: {
		usual: [
			'id',
			'type',
			'email',
			'first_name',
			'last_name',
			'role',
			'session_id',
			'attended',
			'attendance_rate',
			'attendance_minutes',
			'fields',
		],
		further: [
			'event_id',
			'referrer',
			'utm_source',
			'utm_medium',
			'utm_campaign',
			'utm_term',
			'utm_content',
			'attendance_duration',
			'has_viewed_replay',
			'registration_type',
			'messages_count',
			'questions_count',
			'votes_count',
			'up_votes_count',
			'avatar_link',
			'timezone',
			'created_at',
			'updated_at',
			'registrant_created_at',
			'registrant_updated_at',
			'browser_name',
			'browser_version',
			'os_name',
			'os_version',
			'screen_height',
			'screen_width',
			'ip_city',
			'ip_country_code',
			'ip_country_name',
			'session_role',
			'is_highlighted',
			'is_guest_speaker',
			'replay_view_detail',
		],
	},
	questions: {
		usual: [
			'id',
			'type',
			'question',
			'response',
			'responded_at',
			'responded_orally',
			'question_author_id',
			'asker_name',
			'asker_email',
			'responder_name',
			'responder_email',
		],
		further: ['event_id', 'session_id', 'response_author_id', 'created_at', 'updated_at'],
	},
	recordings: {
		usual: [
			'id',
			'type',
			'session_id',
			'file_name',
			'mime_type',
			'file_size',
			'url',
			'url_expires_at',
			'created_at',
		],
		further: ['event_id', 'file_type', 'url_generated_at', 'url_expires_in', 'updated_at'],
	},
	chat_messages: {
		usual: [
			'id',
			'type',
			'author_id',
			'text_content',
			'from_guest_speaker',
			'from_team_member',
			'created_at',
		],
		further: ['event_id', 'session_id', 'html_content', 'updated_at'],
	},
	people_attributes: {
		usual: [
			'id',
			'type',
			'slug',
			'name',
			'description',
			'placeholder',
			'type_attribute',
			'builtin',
			'options',
		],
		further: ['required', 'created_at', 'updated_at'],
	},
	users: {
		usual: [
			'id',
			'type',
			'email',
			'first_name',
			'last_name',
			'role',
			'pending_invite',
			'organization_id',
			'organization_name',
		],
		further: [
			'avatar_link',
			'locale',
			'timezone',
			'website_link',
			'linkedin_link',
			'facebook_link',
			'twitter_handle',
			'created_at',
			'updated_at',
		],
	},
	organizations: { usual: ['id', 'type', 'name'], further: ['slug', 'created_at', 'updated_at'] },
	webhooks: { usual: ['id', 'type', 'event', 'url'], further: ['created_at', 'updated_at'] },
	tags: { usual: ['id', 'type', 'title'], further: ['created_at', 'updated_at'] },
} satisfies Record<string, FieldsOfKind>;

export type RecordKind = keyof typeof recordKinds;

/** The choice of columns: every field, the usual ones of the kind, or the id and the fields with these names, also `usualFields`. */
export type ColumnChoice = 'all' | 'usual' | readonly string[];

/** This name stands for every field, also unknown ones, among the names that people choose. */
export const allFields = 'all';

/** This name stands for the usual fields of the kind among the names that people choose. */
export const usualFields = 'usual';

/** The field of a registration that stands for the answers to the form, each of which has a column. */
const answersField = 'fields';

/** A record with fewer of the usual fields than this is shown whole, because the platform may name them otherwise. */
const fewestUsual = 3;
const usualOfKind = new Map<unknown, readonly string[]>(
	Object.entries(recordKinds).map(([kind, { usual }]) => [kind, usual]),
);

/** Reads the names of fields that people have chosen. Where they have chosen none, the usual ones count. */
export function choiceOf(names: readonly string[]): ColumnChoice {
	const chosenNames = names.map((name) => (isSameName(name, usualFields) ? usualFields : name));
	if (names.some((name) => isSameName(name, allFields))) return 'all';
	const isUsual = chosenNames.every((name) => name === usualFields);
	return isUsual ? 'usual' : chosenNames;
}

/** Undefined where the record does not have the field. An agent may write a name otherwise, such as "firstName". */
export function columnsOf(name: string, record: Fields): string[] | undefined {
	if (record.has(name)) return [name];
	if (name === answersField && record.answers) return record.answers;
	const columns = [...record.keys()];
	const innerColumns = columns.filter((column) => column.startsWith(`${name}_`));
	if (innerColumns.length > 0) return innerColumns;
	const comparedName = plainName(name);
	const sameColumn = columns.find((column) => plainName(column) === comparedName);
	return sameColumn === undefined ? undefined : [sameColumn];
}

/**
 * Picks the columns of these fields, with null for a field that the record does not have. An object has become columns, and so have
 * the answers.
 */
function columnsOfFields(record: Fields, names: readonly string[]): JsonObject {
	const columnNames = names.flatMap((name) => columnsOf(name, record) ?? name);
	return Object.fromEntries(columnNames.map((name) => [name, record.get(name) ?? null]));
}

export function pickColumns(
	record: Fields,
	choice: ColumnChoice,
	besides: readonly string[] = [],
): JsonObject {
	if (choice === 'all') return showAll(record);
	if (choice !== 'usual' && !choice.includes(usualFields)) {
		return columnsOfFields(record, ['id', ...choice]);
	}
	const kind = record.answers ? 'registrants' : record.get('type');
	const hasField = (name: string) => record.has(name) || (name === answersField && record.answers);
	const usual = usualOfKind.get(kind)?.filter(hasField) ?? [];
	if (usual.length < fewestUsual) return showAll(record);
	const proposed = [...usual, ...besides.filter(hasField)];
	const names = choice === 'usual' ? [usualFields] : ['id', ...choice];
	return columnsOfFields(
		record,
		names.flatMap((name) => (name === usualFields ? proposed : name)),
	);
}
