/** As n8n reads a schema: one type for each property. */
export interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** What these values have in common. Of what is empty in all of them `known` tells the type, else it is a text. */
export function schemaOf(values: readonly unknown[], known?: Schema): Schema {
	const given = values.filter((value) => value !== null && value !== undefined);
	const [first] = given;
	if (first === undefined) return known ?? { type: 'string' };
	if (Array.isArray(first)) {
		const within = given.flat();
		if (within.length === 0) return known ?? { type: 'array' };
		return { type: 'array', items: schemaOf(within, known?.items) };
	}
	if (typeof first !== 'object') return { type: typeof first };
	const names = [...new Set(given.flatMap((one) => Object.keys(one)))];
	const properties = names.map((name) => [
		name,
		schemaOf(
			given.map((one) => (one as Record<string, unknown>)[name]),
			known?.properties?.[name],
		),
	]);
	return { type: 'object', properties: Object.fromEntries(properties) as Record<string, Schema> };
}
