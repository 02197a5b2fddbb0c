import { STATUS_CODES } from 'node:http';

interface ErrorObject {
	title: string;
	detail: string;
	code: string;
	status: string;
}

interface Envelope {
	errors: ErrorObject[];
}

/** Why a person cannot be registered. In a task these are its errors (section 2.3). */
export interface Problem {
	code: string;
	message: string;
}

/** A request that the platform refuses, with words that say what to change. */
export class Refusal extends Error {
	override readonly name = 'Refusal';
	constructor(
		readonly status: number,
		readonly detail: string,
		readonly code: string = slug(status),
		readonly title: string = STATUS_CODES[status] ?? 'Error',
	) {
		super(detail);
	}
}

/** `swapped`: the code holds the status, and the status a word for it. */
export function envelope(
	{ status, detail, code, title }: Refusal,
	fields: 'straight' | 'swapped' = 'straight',
): Envelope {
	// A 401 has been recorded with the word.
	const statusText = status === 401 ? slug(status) : String(status);
	const codes =
		fields === 'swapped'
			? { code: String(status), status: slug(status) }
			: { code, status: statusText };
	return { errors: [{ title, detail, ...codes }] };
}

/** The code of a 403 for a token that lacks the scope. */
export const missingScope = 'missing_scope';

export function notFound(what: string, id: string): Refusal {
	return new Refusal(404, `There is no ${what} with the id '${id}'.`);
}

function slug(status: number): string {
	return (STATUS_CODES[status] ?? 'error').toLowerCase().replace(/[^a-z]+/g, '_');
}
