import { peopleAttributes } from '../records/attributes';
import type { FormField } from '../records/eventRecord';
import { emailKey } from '../records/filters';
import type { Problem } from '../refusal';
import { type FieldAnswer, type Tracking, trackingNames } from '../records/personRecord';
import { isEmail } from '../records/email';

/** The data of one person that a client sends, in a single registration as in a task of a job. */
export interface Submission extends Partial<Record<keyof Tracking, string>> {
	fields: Array<{ id: string; value: string | string[] }>;
}

/** A submission that answers the form. */
export interface Answers {
	email: string;
	emailKey: string;
	firstName: string | null;
	lastName: string | null;
	fields: FieldAnswer[];
	tracking: Tracking;
}

/**
 * Field ids are those of the event's form and of the workspace's attributes; only email is needed.
 * An email that the platform makes up stands in the place of the one that was sent, if one was.
 */
export function readSubmission(
	form: readonly FormField[],
	submission: Submission,
	madeUp?: string,
): Answers | Problem[] {
	const { values, problems } = readFields(form, submission);
	if (madeUp !== undefined) values.delete('email');
	const email = madeUp ?? single(values.get('email'))?.trim() ?? '';
	if (!email) problems.push({ code: 'missing_email', message: "The field 'email' is missing" });
	else if (!isEmail(email)) {
		problems.push({
			code: 'invalid_email',
			message: `'${email.slice(0, 100)}' is not a valid email address`,
		});
	}
	if (problems.length > 0) return problems;
	return {
		email,
		emailKey: emailKey(email),
		firstName: single(values.get('first_name')),
		lastName: single(values.get('last_name')),
		fields: answersOf(form, madeUp === undefined ? values.set('email', email) : values),
		tracking: trackingOf(submission),
	};
}

/** The fields that a form was sent with. */
interface FieldsRead {
	/** The values by field id. */
	values: Map<string, string | string[]>;
	/** The problems of the other fields. */
	problems: Problem[];
}

/** The values by field id, as far as the fields exist and take them. */
export function readFields(
	form: readonly FormField[],
	{ fields }: Pick<Submission, 'fields'>,
): FieldsRead {
	const values = new Map<string, string | string[]>();
	const problems: Problem[] = [];
	for (const { id, value } of fields) {
		const field = fieldOf(form, id);
		if (!field) {
			problems.push({
				code: 'unknown_field',
				message: `The field '${id.slice(0, 100)}' doesn't exist`,
			});
			continue;
		}
		const problem = valueProblem(field, value);
		if (problem) problems.push(problem);
		else values.set(id, value);
	}
	return { values, problems };
}

/** The whole form with what was answered, and the answers that go beyond the form. */
export function answersOf(
	form: readonly FormField[],
	values: ReadonlyMap<string, string | string[]>,
): FieldAnswer[] {
	const beyond = [...values.keys()].filter((id) => !form.some((field) => field.id === id));
	return [...form, ...beyond.flatMap((id) => fieldOf(form, id) ?? [])].map((field) => ({
		id: field.id,
		type: field.type,
		value: values.get(field.id) ?? null,
		required: field.required,
	}));
}

export function trackingOf(submission: Partial<Record<keyof Tracking, string>>): Tracking {
	const entries = trackingNames.map((name) => [name, submission[name] ?? null]);
	return Object.fromEntries(entries) as Tracking;
}

export function single(value: string | string[] | undefined): string | null {
	return (Array.isArray(value) ? value[0] : value) ?? null;
}

const beyondForms = new Map<string, FormField>(
	peopleAttributes.map(({ slug, options, type }, order) => [
		slug,
		{
			id: slug,
			type: options.length > 0 ? 'multiple' : 'text',
			order,
			required: slug === 'email',
			...(options.length > 0 && {
				options: {
					items: options.map(({ value }) => ({ value })),
					multiple_answers: type === 'multiple_select',
				},
			}),
		},
	]),
);

function fieldOf(form: readonly FormField[], id: string): FormField | undefined {
	return form.find((field) => field.id === id) ?? beyondForms.get(id);
}

function valueProblem({ id, options }: FormField, value: string | string[]): Problem | undefined {
	const wrong = (message: string) => ({ code: 'invalid_value', message });
	if (!options) {
		return Array.isArray(value) ? wrong(`The field '${id}' takes one text, not a list`) : undefined;
	}
	const chosen = Array.isArray(value) ? value : [value];
	if (chosen.length > 1 && !options.multiple_answers) {
		return wrong(`The field '${id}' takes one answer, not ${chosen.length}`);
	}
	const stray = chosen.find(
		(choice) => choice !== '' && !options.items.some((item) => item.value === choice),
	);
	const choices = options.items.map((item) => item.value).join(', ');
	return stray === undefined
		? undefined
		: wrong(`'${stray.slice(0, 100)}' is not a choice of the field '${id}'; it has: ${choices}`);
}
