import { attributesOf, recordKey, type IncludedRecords } from '../core/client/document';
import { fieldsOf, fullName, type Fields } from '../core/records/simplify';
import { isObject, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { choiceOf } from '../core/records/columns';
import { viewRecord, type RecordView } from '../core/records/recordView';
import { withIncludedEvent } from '../core/sessions/readSession';
import { joinLinkOf } from '../core/dialect/person';
import type { ItemParameters } from '../fields/itemParameters';
import { joinLinkColumn } from '../core/values/secrets';

/* Shapes records for the output: simplified or as sent, with what the records tell that are included. */

/** Finds the included records to which its relationships with these names refer. */
function relatedRecords(
	{ relationships }: JsonObject,
	names: readonly string[],
	included: IncludedRecords,
): JsonObject[] {
	const namedRelationships = isObject(relationships)
		? names.map((name) => relationships[name])
		: [];
	const references = namedRelationships.filter(isObject).flatMap(({ data = [] }) => data);
	const keys = references.filter(isObject).map((reference) => recordKey(reference) ?? '');
	return keys.map((key) => included.get(key)).filter((record) => record !== undefined);
}

/**
 * The relationships of a question to people, whose names and addresses simplified questions have as columns, and the attributes with the
 * ids of these people. Livestorm's own client finds the people by the attributes.
 */
const authorsOfQuestion = { asker: 'question_author_id', responder: 'response_author_id' };
const rolesOfQuestion = Object.keys(authorsOfQuestion);

/** The fields of the record come with columns for what people know its related records by. */
function fieldsWithIncluded(included: IncludedRecords, record: JsonObject): Fields {
	const fields = fieldsOf(record);
	const { event } = withIncludedEvent(record, included);
	if (event) fields.set('event_title', attributesOf(event).title ?? null);
	const [organization] = relatedRecords(record, ['organization'], included);
	if (organization) {
		fields.set('organization_id', organization.id ?? null);
		fields.set('organization_name', attributesOf(organization).name ?? null);
	}
	const { relationships = {} } = record;
	for (const [role, author] of Object.entries(authorsOfQuestion)) {
		const key = recordKey({ type: 'people', id: text(attributesOf(record)[author]) }) ?? '';
		const related = relatedRecords(record, [role], included)[0] ?? included.get(key);
		const isTold = isObject(relationships) && role in relationships;
		if (!related && !isTold) continue;
		const person = attributesOf(related ?? {});
		fields.set(`${role}_name`, fullName(person) || null);
		fields.set(`${role}_email`, text(person.email) || null);
	}
	return fields;
}

export interface OutputView {
	/** The part of a simplified record that is shown. Absent: records are shown as the platform sends them. */
	readonly simplified?: RecordView;
	readonly includesJoinLink: boolean;
	readonly relations: readonly string[];
}

/** Reads how people want to see records, all at once, because no expression may fail after something was changed. */
export function readOutputView(parameters: ItemParameters): OutputView {
	const { zone } = parameters;
	const isSimple = parameters.simplify();
	const columns = isSimple ? choiceOf(parameters.names('options.fields')) : 'all';
	const includesJoinLink = parameters.option('includeJoinLink');
	const includedNames = parameters.names('options.include');
	if (!isSimple) return { includesJoinLink, relations: includedNames };
	const relations = includedNames.filter((name) => !rolesOfQuestion.includes(name));
	return { simplified: { columns, besides: relations, zone }, includesJoinLink, relations };
}

export interface PresentedRecord {
	readonly output: JsonObject;
	/** All fields of the record; absent where it is shown as the platform sent it. */
	readonly fields?: Fields;
}

/** Makes the output of a record, with what the included records tell. */
export function presentRecord(
	record: JsonObject,
	view: OutputView,
	included: IncludedRecords = new Map(),
): PresentedRecord {
	const { simplified, includesJoinLink, relations } = view;
	const fields = simplified && fieldsWithIncluded(included, record);
	const shownRecord = fields ? viewRecord(fields, simplified) : record;
	const output = includesJoinLink
		? { ...shownRecord, [joinLinkColumn]: joinLinkOf(record) }
		: shownRecord;
	if (relations.length === 0) return { output, fields };
	const members = relatedRecords(record, relations, included);
	const usualView: RecordView = { columns: 'usual', zone: simplified?.zone };
	const shownMembers = simplified
		? members.map((member) => viewRecord(fieldsOf(member), usualView))
		: members;
	return { output: { ...output, included: shownMembers }, fields };
}
