import type { SandboxOptions } from '../options';

type Traits = Pick<SandboxOptions, 'nulls' | 'registrationDates' | 'publicEvent'>;
type Attributes = Record<string, unknown>;

/** An answer or a delivery with its records as this platform shows them. */
export function inWorld(traits: Traits, value: unknown): unknown {
	const { nulls, registrationDates, publicEvent } = traits;
	return nulls || !registrationDates || publicEvent ? changed(traits, value) : value;
}

function changed(traits: Traits, value: unknown): unknown {
	if (Array.isArray(value)) return value.map((element) => changed(traits, element));
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).map(([name, inner]) => [name, changed(traits, inner)]);
	const copy = Object.fromEntries(entries) as { type?: unknown; attributes?: Attributes };
	if (!copy.attributes) return copy;
	if (traits.nulls) setNulls(String(copy.type), copy.attributes);
	if (traits.publicEvent && copy.type === 'events') leaveOutEmail(copy.attributes);
	const detail = detailOf(copy.attributes);
	if (detail && !traits.registrationDates) {
		delete detail['created_at'];
		delete detail['updated_at'];
	}
	return copy;
}

/** Nulls that clients have seen, and what is not there at all. */
function setNulls(type: string, attributes: Attributes): void {
	const detail = detailOf(attributes);
	const questions = detail ? detail['fields'] : attributes['fields'];
	if (type === 'events') attributes['recording_public'] = null;
	if (type === 'sessions' && attributes['name'] === null) delete attributes['name'];
	for (const question of Array.isArray(questions) ? (questions as Attributes[]) : []) {
		question['required'] = null;
	}
}

/** The registration form of a public event. */
function leaveOutEmail(attributes: Attributes): void {
	const fields = attributes['fields'] as Array<{ id: string }>;
	attributes['fields'] = fields.filter(({ id }) => id !== 'email');
}

function detailOf(attributes: Attributes): Attributes | undefined {
	return attributes['registrant_detail'] as Attributes | undefined;
}
