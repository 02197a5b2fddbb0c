type Attributes = Record<string, unknown>;

/** The same answer with the nulls and other values that clients have seen where records have some. */
export function withNulls(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withNulls);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).map(([name, inner]) => [name, withNulls(inner)]);
	const copy = Object.fromEntries(entries) as { type?: unknown; attributes?: Attributes };
	if (copy.attributes) change(String(copy.type), copy.attributes);
	return copy;
}

function change(type: string, attributes: Attributes): void {
	if (type === 'events') {
		attributes['recording_public'] = null;
		const owner = attributes['owner'] as Attributes | null;
		if (owner) attributes['owner'] = { ...owner, type: 'people' };
	}
	if (type === 'sessions' && attributes['duration'] === 0) attributes['duration'] = null;
	const detail = attributes['registrant_detail'] as Attributes | undefined;
	if (detail) {
		if (detail['attended'] === false) detail['attendance_rate'] = null;
		detail['registration_type'] = String(detail['registration_type']).toUpperCase();
	}
}
