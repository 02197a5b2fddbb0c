import { STATUS_CODES } from 'node:http';

export interface ErrorObject {
	title: string;
	detail: string;
	code: string;
	status: string;
}

export interface Envelope {
	errors: ErrorObject[];
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

export function envelope({ status, detail, code, title }: Refusal): Envelope {
	return { errors: [{ title, detail, code, status: String(status) }] };
}

export function notFound(what: string, id: string): Refusal {
	return new Refusal(404, `There is no ${what} with the id '${id}'.`);
}

function slug(status: number): string {
	return (STATUS_CODES[status] ?? 'error').toLowerCase().replace(/[^a-z]+/g, '_');
}
