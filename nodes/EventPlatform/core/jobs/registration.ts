import type { JsonObject } from '../http/ports';

/** One answer on the form. */
export type PersonField = { id: string; value: string | string[] };

/** What a registration says of a person. */
export interface Registration {
	readonly fields: readonly PersonField[];
	/** `referrer` and the utm keys, as the platform names them. */
	readonly tracking: Readonly<Record<string, string>>;
}

/** Section 2.2; one person's registration and its change take the same. */
export function asTask({ fields, tracking }: Registration): JsonObject {
	return { fields: [...fields], ...tracking };
}
