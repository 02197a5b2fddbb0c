import { attributesOf, recordKey, type RecordsBeside } from '../core/client/document';
import { fieldsOf, fullName, joinLinkColumn, type Fields } from '../core/records/simplify';
import { isObject, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { choiceOf } from '../core/records/columns';
import { viewRecord } from '../core/records/recordView';
import { joinLinkOf } from '../core/dialect/person';
import type { ItemContext } from './runContext';

/* Shapes records for the output: simplified or as sent, with what the records tell that came beside them. */

function related(
	{ relationships }: JsonObject,
	names: readonly string[],
	beside: RecordsBeside,
): JsonObject[] {
	const named = isObject(relationships) ? names.map((name) => relationships[name]) : [];
	const references = named.filter(isObject).flatMap(({ data = [] }) => data);
	const keys = references.filter(isObject).map((reference) => recordKey(reference) ?? '');
	return keys.map((key) => beside.get(key)).filter((record) => record !== undefined);
}

/** People around a question, whose names and addresses simplified questions have as columns. */
const roles = ['asker', 'responder'];

/** With columns for what people know the related records by. */
export function fieldsBeside(beside: RecordsBeside, record: JsonObject): Fields {
	const fields = fieldsOf(record);
	const event = beside.get(`events ${text(fields.get('event_id'))}`);
	if (event) fields.set('event_title', attributesOf(event).title ?? null);
	const [organization] = related(record, ['organization'], beside);
	if (organization) {
		fields.set('organization_id', organization.id ?? null);
		fields.set('organization_name', attributesOf(organization).name ?? null);
	}
	const { relationships = {} } = record;
	for (const role of roles.filter((name) => isObject(relationships) && name in relationships)) {
		const person = attributesOf(related(record, [role], beside)[0] ?? {});
		fields.set(`${role}_name`, fullName(person) || null);
		fields.set(`${role}_email`, text(person.email) || null);
	}
	return fields;
}

/** A simplified record as it leaves: these fields, else the usual ones and `besides`. */
export function shape(
	record: Fields,
	zone: string,
	names: string[] = [],
	besides?: string[],
): JsonObject {
	return viewRecord(record, { columns: choiceOf(names), besides, zone });
}

/** Shapes one record for the output, with what the records tell that came beside it. */
export type PresentRecord = (record: JsonObject, beside?: RecordsBeside) => JsonObject;

/** Shapes the records of an answer. Reads the parameters at once: no expression may fail after something was changed. */
export function presenter({
	parameters,
	notes,
}: Pick<ItemContext, 'parameters' | 'notes'>): PresentRecord {
	const { zone } = parameters;
	const isSimple = parameters.simplify();
	const names = isSimple ? parameters.names('options.fields') : [];
	const includesJoinLink = parameters.option('includeJoinLink');
	const asked = parameters.names('options.include');
	const relations = isSimple ? asked.filter((name) => !roles.includes(name)) : asked;
	const simplified = (record: JsonObject, beside: RecordsBeside) => {
		const fields = fieldsBeside(beside, record);
		notes.fields.record(fields, names);
		return shape(fields, zone, names, relations);
	};
	return (record: JsonObject, beside: RecordsBeside = new Map()): JsonObject => {
		const whole = isSimple ? simplified(record, beside) : record;
		const output = includesJoinLink ? { ...whole, [joinLinkColumn]: joinLinkOf(record) } : whole;
		if (relations.length === 0) return output;
		const sent = related(record, relations, beside);
		const included = isSimple ? sent.map((member) => shape(fieldsOf(member), zone)) : sent;
		return { ...output, included };
	};
}
