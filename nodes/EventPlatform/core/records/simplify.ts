import { withoutKeys, isWithheld } from './withheld';
import { type Json, isObject, type JsonObject } from '../values/json';
import { text } from '../values/text';
import { parseSeconds } from '../dialect/time';
import { joinLinkOf } from '../dialect/person';

/** The column of the personal link in our output. */
export const joinLinkColumn = 'join_link';

/** A record on one level. A map, because most of its forty fields are looked at once and leave nowhere. */
export class Fields extends Map<string, Json> {
	/** The columns of what was answered on the form; undefined where the record is no registration. */
	answers?: string[];

	/** The personal link of a person. It is no column unless people ask for it, because anybody can enter with it. */
	joinLink: string | null = null;

	/** Where the name is taken, it gets a longer one, which is given back. */
	add(name: string, value: Json, suffix: string): string {
		let free = name;
		while (this.has(free)) free += suffix;
		this.set(free, value);
		return free;
	}

	/** An object becomes columns: of the owner of an event `owner_id`, `owner_email`, … */
	addFlat(name: string, value: Json, suffix: string, levels = 3): void {
		if (!isObject(value) || levels === 0 || Object.keys(value).length === 0) {
			this.add(name, value, suffix);
			return;
		}
		const fields = isObject(value.attributes) ? fieldsOf(value) : Object.entries(value);
		for (const [inner, member] of fields) {
			this.addFlat(`${name}_${inner}`, member, suffix, levels - 1);
		}
	}
}

/** "Ada Lovelace"; empty where the platform knows no name. */
export function fullName({ first_name: first, last_name: last }: JsonObject): string {
	return `${text(first)} ${text(last)}`.trim();
}

export function showAll(fields: Fields): JsonObject {
	return Object.fromEntries(fields);
}

/** Attributes, what is known of a registration, relationships as ids, and a column for each answer to the form, on one level. */
export function fieldsOf(record: JsonObject): Fields {
	const { id, type, attributes, relationships, ...rest } = withoutKeys(record);
	const simple = new Fields();
	simple.joinLink = joinLinkOf(record);
	if (id !== undefined) simple.set('id', id);
	if (type !== undefined) simple.set('type', type);
	const { registrant_detail: detail, ...others } = isObject(attributes) ? attributes : {};
	for (const [name, value] of Object.entries(others)) simple.addFlat(name, value, '_attribute');
	if (isObject(detail)) addRegistration(detail, others, simple);
	else if (detail !== undefined) simple.add('registrant_detail', detail, '_attribute');
	if (attributes !== undefined && !isObject(attributes)) simple.set('attributes', attributes);
	for (const [name, relationship] of Object.entries(isObject(relationships) ? relationships : {})) {
		const related = isObject(relationship) ? idsOf(relationship.data) : undefined;
		if (related !== undefined) simple.add(name, related, '_relationship');
	}
	for (const [name, value] of Object.entries(rest)) {
		if (name !== 'links') simple.addFlat(name, value, '_member');
	}
	if (type === 'recordings') addExpiry(simple);
	if (isObject(detail) && detail.fields !== undefined) addAnswers(detail.fields, simple);
	return simple;
}

/** When the link to a recording stops working, where the platform gives only how long it works. */
function addExpiry(simple: Fields): void {
	const generatedAt = parseSeconds(simple.get('url_generated_at'));
	const livesSeconds = Number(simple.get('url_expires_in'));
	if (simple.has('url_expires_at') || generatedAt === undefined || !(livesSeconds > 0)) return;
	simple.set('url_expires_at', generatedAt + livesSeconds);
}

/** All but the answers. */
function addRegistration(detail: JsonObject, others: JsonObject, simple: Fields): void {
	simple.answers = [];
	for (const [name, value] of Object.entries(detail)) {
		if (name === 'fields') continue;
		// The mark stands in front, because dates are known by the end of their name.
		const free = Object.hasOwn(others, name) ? `registrant_${name}` : name;
		simple.addFlat(free, value, '_registrant');
		if (name !== 'attendance_duration') continue;
		const minutes = typeof value === 'number' ? Math.round(value / 6) / 10 : null;
		simple.add('attendance_minutes', minutes, '_registrant');
	}
}

/** Asked by every form, and attributes of the person as well. */
const twice = new Set(['email', 'first_name', 'last_name']);

/** Columns that our own operations and triggers add to a record. */
const ours = new Set(
	`id type status changes included event event_key received_at event_title session_name ${joinLinkColumn}`.split(
		' ',
	),
);

/** A column each, named by the id of its question; as they are where they are no such list. */
function addAnswers(sent: Json, simple: Fields): void {
	const records = Array.isArray(sent) ? sent.filter(isObject) : [];
	const answers = new Map(
		records.flatMap(({ id, value = null }) =>
			typeof id === 'string' ? [[id, choicesAsText(value)]] : [],
		),
	);
	if (!Array.isArray(sent) || answers.size < sent.length) {
		simple.add('fields', sent, '_answers');
		return;
	}
	for (const [id, value] of answers) {
		if (isWithheld(id)) continue;
		const ofPerson = simple.get(id) ?? '';
		if (twice.has(id) && (ofPerson === '' || saysNothingElse(id, value, ofPerson))) {
			if (ofPerson === '') simple.set(id, value);
			continue;
		}
		const name = ours.has(id) ? `${id}_answer` : id;
		simple.answers?.push(simple.add(name, value, '_answer'));
	}
}

/** Whether an answer has no column of its own beside the attribute of the person: a second column is for two answers that differ. */
function saysNothingElse(id: string, answer: Json, ofPerson: Json): boolean {
	if (isObject(answer)) return false;
	const [answered = '', held = ''] = [answer, ofPerson].map((value) => {
		const plain = text(value).trim();
		return id === 'email' ? plain.toLowerCase() : plain;
	});
	return answered === '' || answered === held;
}

/** Several choices as one text. */
function choicesAsText(answer: Json): Json {
	const isList = Array.isArray(answer) && answer.every((choice) => typeof choice === 'string');
	return isList ? answer.join(', ') : answer;
}

/** Gives the ids of related records; undefined where a relationship holds only links. */
function idsOf(related: Json | undefined): Json | undefined {
	if (Array.isArray(related)) return related.map((record) => idsOf(record) ?? null);
	if (isObject(related)) return related.id ?? undefined;
	return related;
}
