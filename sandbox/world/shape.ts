import type { SandboxOptions } from '../options';
import type { ApiRecord } from '../platform';
import type { Answered } from '../records/handler';

type Traits = Pick<
	SandboxOptions,
	'recordFields' | 'personShape' | 'registrationAnswer' | 'registrationStatus' | 'jobReadStatus'
>;
type Attributes = Record<string, unknown>;

/**
 * Gives an answer the shape that it has on this platform, where the specification does not show it.
 * The answer was checked against the contract before: this only leaves out, renames and rearranges.
 */
export function inShape(traits: Traits, operationId: string, answered: Answered): Answered {
	switch (operationId) {
		case 'registerPerson':
			return registrationAnswer(traits, answered.body as { data: ApiRecord });
		case 'listJobTasks':
			return taskResults(traits, answered);
		case 'getJob':
			return { ...answered, status: Number(traits.jobReadStatus) };
		default:
			return { ...answered, body: withFewerFields(traits, answered.body) };
	}
}

/** A delivery, whose records show as much as those of the API. */
export function deliveryInShape(
	{ recordFields, deliveryMeta }: Pick<SandboxOptions, 'recordFields' | 'deliveryMeta'>,
	body: unknown,
): unknown {
	const { data } = body as { data?: ApiRecord & { meta?: unknown } };
	if (!data) return body;
	const { meta, ...record } = data;
	const shaped = fewer({ recordFields }, record);
	return { data: deliveryMeta ? { ...shaped, meta } : shaped };
}

function registrationAnswer(traits: Traits, { data }: { data: ApiRecord }): Answered {
	const status = Number(traits.registrationStatus);
	if (status === 204) return { status };
	const person = personInShape(traits, data);
	return { status, body: traits.registrationAnswer === 'wrapped' ? { data: person } : person };
}

function taskResults(traits: Traits, answered: Answered): Answered {
	const { data, meta } = answered.body as { data: Array<{ data?: ApiRecord }>; meta: unknown };
	const results = data.map((result) =>
		result.data ? { ...result, data: personInShape(traits, result.data) } : result,
	);
	return { ...answered, body: { data: results, meta } };
}

function personInShape(traits: Traits, person: ApiRecord): Record<string, unknown> {
	const shaped = fewer(traits, person);
	if (traits.personShape === 'attributes') return shaped;
	return { ...without(shaped, 'attributes'), ...(shaped['attributes'] as Attributes | undefined) };
}

/** The fields by which people know a record. Of other types nothing is shown. */
const fewFields: Readonly<Record<string, readonly string[]>> = {
	events: ['title'],
	sessions: ['name'],
	people: ['email', 'first_name', 'last_name'],
	people_attributes: ['slug'],
	questions: ['question'],
	recordings: ['url'],
	chat_messages: ['text_content'],
	tags: ['title'],
};

/** An answer whose records, one or a list, show what this platform shows of them. */
function withFewerFields(traits: Pick<Traits, 'recordFields'>, body: unknown): unknown {
	if (traits.recordFields === 'all' || typeof body !== 'object' || body === null) return body;
	const { data, ...rest } = body as { data?: ApiRecord | ApiRecord[] };
	if (data === undefined) return body;
	const shaped = Array.isArray(data)
		? data.map((record) => fewer(traits, record))
		: fewer(traits, data);
	return { ...without(rest, 'included'), data: shaped };
}

/** A record with as many fields as this platform shows. A job is specified, so it shows them all. */
function fewer(
	{ recordFields }: Pick<Traits, 'recordFields'>,
	record: ApiRecord,
): Record<string, unknown> {
	const { id, type, attributes } = record;
	if (recordFields === 'all' || type === 'jobs') return { ...record };
	if (recordFields === 'none') return { id, type };
	const names = fewFields[type] ?? [];
	const entries = Object.entries(attributes).filter(([name]) => names.includes(name));
	return { id, type, attributes: Object.fromEntries(entries) };
}

function without(record: Record<string, unknown>, name: string): Record<string, unknown> {
	return Object.fromEntries(Object.entries(record).filter(([member]) => member !== name));
}
