import type { Json, JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type { ApiResponse } from '../../../nodes/EventPlatform/core/client/request';
import type { ModelOptions } from './platformOptions';

export function answer(
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): ApiResponse {
	return { status, headers, body };
}

export function errors(detail: string): JsonObject {
	return { errors: [{ detail }] };
}

export function fieldIds({ fields }: JsonObject): Json[] {
	return (fields as JsonObject[]).map(({ id }) => id ?? null);
}

export function emailOf({ fields }: JsonObject): string {
	const email = (fields as JsonObject[]).find(({ id }) => id === 'email')?.value;
	return typeof email === 'string' ? email.trim() : '';
}

/** Gives the answers in a registration, or in a change of one. */
export function answersOf({ fields }: JsonObject): Record<string, string> {
	const answers = fields as Array<{ id: string; value: string }>;
	return Object.fromEntries(answers.map(({ id, value }) => [id, value]));
}

export function same(email: unknown): string {
	return String(email).trim().toLowerCase();
}

let people = 0;

/** The record of somebody who has just been registered, as the platform shows the email. */
export function newPersonRecord(email: string, emails: ModelOptions['emails']): JsonObject {
	people += 1;
	const digits = String(people).padStart(12, '0');
	const attributes: Record<ModelOptions['emails'], JsonObject> = {
		'as-sent': { email },
		'lower-case': { email: email.toLowerCase() },
		absent: {},
		'made-up': {
			email: `1720628126+00000000-0000-4000-8000-${digits}@unknown.livestorm.co`,
		},
	};
	return { type: 'people', id: `person-${people}`, attributes: attributes[emails] };
}

/** Section 2.2 names texts, a referrer and a source. */
export function isBeyondTheLetter(task: JsonObject): boolean {
	const named = ['fields', 'referrer', 'utm_source'];
	return Object.keys(task).some((name) => !named.includes(name));
}
