import type { FormField } from './formField';
import { text } from '../core/http/text';
import { attributesOf, getRecord } from '../core/http/jsonApi';
import { meaningOf } from '../core/failures/causes';
import { Failure } from '../core/http/failure';
import { isObject } from '../core/http/json';
import { listRecords } from '../core/http/paginate';
import type { Api, Json, JsonObject } from '../core/http/ports';
import { InvalidSegment, pathTo } from '../core/http/path';
import { readSession } from '../core/sessions/readSession';
import { titleCase } from '../parameters/names';

/** Named by the specification for every session. */
export const named: FormField[] = [
	{ id: 'email', label: 'Email', required: true, multiple: false },
	{ id: 'first_name', label: 'First Name', required: false, multiple: false },
	{ id: 'last_name', label: 'Last Name', required: false, multiple: false },
];

/** The session's own form, else the attributes of the workspace, else the three fields that always exist. */
export async function registrationForm(api: Api, sessionId: string): Promise<FormField[]> {
	const form =
		(sessionId && (await attempt(() => formOfSession(api, sessionId)))) ||
		(await attempt(() => attributesOfWorkspace(api))) ||
		named;
	return form.some(({ id }) => id === 'email')
		? form.map((field) => ({ ...field, required: field.required || field.id === 'email' }))
		: [...named.slice(0, 1), ...form];
}

async function formOfSession(api: Api, sessionId: string): Promise<FormField[]> {
	const { session, event } = await readSession(api, sessionId);
	return formOfEvent(
		event ?? (await getRecord(api, pathTo`/events/${attributesOf(session).event_id}`)),
	);
}

function formOfEvent(event: JsonObject): FormField[] {
	const { fields } = attributesOf(event);
	return (Array.isArray(fields) ? fields : [])
		.filter(isObject)
		.filter(({ id }) => typeof id === 'string')
		.sort((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0))
		.map(({ id, type, required, options }) => {
			const choices = isObject(options) ? choicesOf(options.items) : undefined;
			return {
				id: text(id),
				label: titleCase(text(id)),
				required: required === true,
				multiple: type === 'multiple' && isObject(options) && options.multiple_answers === true,
				choices: type === 'multiple' ? choices : undefined,
			};
		});
}

async function attributesOfWorkspace(api: Api): Promise<FormField[]> {
	const records = await listRecords(api, '/people_attributes');
	return records
		.map(attributesOf)
		.filter(({ slug }) => typeof slug === 'string')
		.map(({ slug, name, type, options }) => ({
			id: text(slug),
			label: typeof name === 'string' && name !== '' ? name : titleCase(text(slug)),
			required: slug === 'email',
			multiple: type === 'multiple_select',
			choices: text(type).endsWith('_select') ? choicesOf(options) : undefined,
		}));
}

function choicesOf(options: Json | undefined): FormField['choices'] {
	if (!Array.isArray(options)) return undefined;
	return options.filter(isObject).map(({ label, value }) => ({
		label: text(label ?? value),
		value: text(value),
	}));
}

/** The next source takes over when this one has nothing, or is closed to this credential. */
async function attempt(read: () => Promise<FormField[]>): Promise<FormField[] | undefined> {
	const form = await read().catch(nothingThere);
	return form && form.length > 0 ? form : undefined;
}

/** Anything else is told, rather than showing a form that is not the session's. */
function nothingThere(error: unknown): undefined {
	if (error instanceof InvalidSegment) return undefined;
	if (error instanceof Failure && meaningOf(error).elsewhere) return undefined;
	throw error;
}
