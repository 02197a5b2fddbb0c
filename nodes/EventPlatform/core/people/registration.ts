import type { JsonObject } from '../values/json';

export type PersonField = { id: string; value: string | string[] };

export interface Registration {
	readonly fields: readonly PersonField[];
	/** `referrer` and the utm keys, as the platform names them. */
	readonly tracking: Readonly<Record<string, string>>;
}

/** Gives the texts that a person has sent beside the email. */
export function otherValuesOf({ fields, tracking }: Registration): string[] {
	const answers = fields.filter(({ id }) => id !== 'email').flatMap(({ value }) => value);
	return [...answers, ...Object.values(tracking)];
}

/** Writes a registration as section 2.2 has it; a single registration and its change take the same. */
export function asTask({ fields, tracking }: Registration): JsonObject {
	return { fields: [...fields], ...tracking };
}
