import { type Json, isObject, type JsonObject } from '../values/json';
import { namedQuestionIds } from '../dialect/personAttributes';
import { text } from '../values/text';
import { parseSeconds } from '../dialect/time';
import { answersIn, joinLinkOf } from '../dialect/person';
import { isWithheld, joinLinkColumn } from '../values/secrets';

/*
 * Simplifies records. Begin here: `fieldsOf` brings a record to one level. `columns.ts` picks from its fields by the names of
 * `recordKinds.ts`, `outputDates.ts` writes dates, and `recordView.ts` does both. `record.ts` is about records before that: their ids.
 *
 * What this rests on: recorded registrations have their facts and answers in `registrant_detail`, two of whose members log a person in, and
 * share names such as `created_at` with the person. Recorded recordings say how many seconds their link works. The vendor's pages show
 * attributes of people with a `type` of their own. People name questions, so an answer may have the name of a column.
 */

/** The fields of a record on one level. It is a map, because most of its forty fields are only read once and never reach the output. */
export class Fields extends Map<string, Json> {
	/** The names of the columns with answers to the form; undefined where the record is no registration. */
	answers?: string[];

	/** The personal link of a person. It is no column unless people ask for it, because anybody can enter with it. */
	joinLink: string | null = null;

	/** Adds a field. Where the name is taken, the field gets a longer one. The name that it got is returned. */
	add(name: string, value: Json, suffix = '_2'): string {
		let freeName = name;
		while (this.has(freeName)) freeName += suffix;
		this.set(freeName, value);
		return freeName;
	}

	/**
	 * Adds a field whose members become columns of their own if it is an object: the owner of an event becomes `owner_id`, `owner_email`, …
	 * Members below the third level stay in one column, so that no record has hundreds.
	 */
	addFlat(name: string, value: Json, suffix = '_2', levels = 3): void {
		if (!isObject(value) || levels === 0 || Object.keys(value).length === 0) {
			this.add(name, value, suffix);
			return;
		}
		const fields = isObject(value.attributes) ? fieldsOf(value) : shownMembers(value);
		for (const [innerName, member] of fields) {
			this.addFlat(`${name}_${innerName}`, member, suffix, levels - 1);
		}
	}
}

export function fullName({ first_name: first, last_name: last }: JsonObject): string {
	return `${text(first)} ${text(last)}`.trim();
}

export function showAll(fields: Fields): JsonObject {
	return Object.fromEntries(fields);
}

/**
 * Simplifies a record to one level: its attributes, the facts of a registration, relationships as ids, and a column for each answer to
 * the form.
 */
export function fieldsOf(record: JsonObject): Fields {
	const { id, type, attributes, relationships, ...otherMembers } = record;
	const simple = new Fields();
	simple.joinLink = joinLinkOf(record);
	if (id !== undefined) simple.set('id', id);
	if (type !== undefined) simple.set('type', type);
	const { registrant_detail: detail, ...otherAttributes } = isObject(attributes) ? attributes : {};
	for (const [name, value] of shownMembers(otherAttributes)) {
		// The type of a person attribute has this column, which saved workflows name.
		simple.addFlat(name, value, '_attribute');
	}
	if (isObject(detail)) addRegistration(detail, otherAttributes, simple);
	for (const [name, relationship] of Object.entries(isObject(relationships) ? relationships : {})) {
		const relatedIds = isObject(relationship) ? idsOf(relationship.data) : undefined;
		if (relatedIds !== undefined) simple.add(name, relatedIds);
	}
	for (const [name, value] of shownMembers(otherMembers)) {
		if (name !== 'links') simple.addFlat(name, value);
	}
	if (type === 'recordings') addExpiry(simple);
	if (isObject(detail)) addAnswers(detail, simple);
	return simple;
}

/** The members of an object without those that log a person in. */
function shownMembers(object: JsonObject): Array<[string, Json]> {
	return Object.entries(object).filter(([name]) => !isWithheld(name));
}

/** Adds when the link to a recording stops working, where the platform says only how long it works. */
function addExpiry(simple: Fields): void {
	const generatedAt = parseSeconds(simple.get('url_generated_at'));
	const livesSeconds = Number(simple.get('url_expires_in'));
	if (simple.has('url_expires_at') || generatedAt === undefined || !(livesSeconds > 0)) return;
	simple.set('url_expires_at', generatedAt + livesSeconds);
}

/** Adds the facts of a registration except for the answers, which are added last. */
function addRegistration(detail: JsonObject, attributes: JsonObject, simple: Fields): void {
	simple.answers = [];
	for (const [name, value] of shownMembers(detail)) {
		if (name === 'fields') continue;
		// The mark stands at the beginning of the name, because dates are recognised by its end.
		const freeName = Object.hasOwn(attributes, name) ? `registrant_${name}` : name;
		simple.addFlat(freeName, value);
		if (name !== 'attendance_duration') continue;
		// The minutes have one decimal.
		const minutes = typeof value === 'number' ? Math.round(value / 6) / 10 : null;
		simple.add('attendance_minutes', minutes);
	}
}

/** The columns that our own operations and triggers add to a record. */
const ownColumns: ReadonlySet<string> = new Set([
	'id',
	'type',
	'status',
	'changes',
	'included',
	'event',
	'event_key',
	'received_at',
	'event_title',
	'session_name',
	'session_start_text',
	joinLinkColumn,
]);

/** Adds a column for each answer, named by the id of its question. */
function addAnswers(registration: JsonObject, simple: Fields): void {
	for (const [id, answer] of answersIn(registration)) {
		if (isWithheld(id)) continue;
		const value = choicesAsText(answer.value ?? null);
		const attribute = simple.get(id) ?? '';
		if (namedQuestionIds.includes(id)) {
			if (attribute === '') simple.set(id, value);
			if (attribute === '' || addsNothing(id, value, attribute)) continue;
		}
		const name = ownColumns.has(id) ? `${id}_answer` : id;
		simple.answers?.push(simple.add(name, value, '_answer'));
	}
}

/** An answer that is empty or says the same as the attribute of the person needs no column of its own. */
function addsNothing(id: string, answer: Json, attribute: Json): boolean {
	if (isObject(answer)) return false;
	const [answerText = '', attributeText = ''] = [answer, attribute].map((value) => {
		const trimmed = text(value).trim();
		return id === 'email' ? trimmed.toLowerCase() : trimmed;
	});
	return answerText === '' || answerText === attributeText;
}

function choicesAsText(answer: Json): Json {
	const isList = Array.isArray(answer) && answer.every((choice) => typeof choice === 'string');
	return isList ? answer.join(', ') : answer;
}

/** Undefined where a relationship holds only links. */
function idsOf(related: Json | undefined): Json | undefined {
	if (Array.isArray(related)) return related.map((record) => idsOf(record) ?? null);
	if (isObject(related)) return related.id ?? undefined;
	return related;
}
