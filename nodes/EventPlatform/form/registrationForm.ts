import type { FormField } from './formField';
import type { MappedPerson } from './personFields';
import { savedForm } from './registrationFields';
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
import type { Read } from '../parameters/read';

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

/**
 * Maps the answers of one item by the form. With columns entered by hand it is the form that they were loaded from: when it
 * does not have an answer, the session's form of now is read, once in a run. An item that is mapped as a whole needs to
 * know which of its values are answers, so there the form is asked for in any case, once a session.
 */
export async function mapAnswers<Mapped extends MappedPerson>(
	{ api, read }: { api: Api; read: Read },
	map: (form: FormField[] | undefined) => Mapped,
): Promise<{ person: Mapped; form?: FormField[] }> {
	const saved = savedForm(read);
	const formOfNow = () => formOf(read.id('sessionId'), api);
	let form = saved ?? (read.mapsAutomatically('fields') ? await formOfNow() : undefined);
	let person = map(form);
	if (saved && person.doubts.length > 0) {
		const now = new Map((await formOfNow()).map((field) => [field.id, field]));
		form = saved.map((field) => now.get(field.id) ?? field);
		person = map(form);
	}
	// With the option the platform decides.
	if (person.doubts.length > 0 && !read.option('sendUnknownChoices')) {
		person.problems.push(...person.doubts);
	}
	return { person, form };
}

/** By run, because each run has an api of its own, and by session. */
const asked = new WeakMap<Api, Map<string, Promise<FormField[]>>>();

/** What fails for a moment fails for the item that asked; of those that waited for it the first one asks once more. */
async function formOf(sessionId: string, api: Api): Promise<FormField[]> {
	const forms = asked.get(api) ?? new Map<string, Promise<FormField[]>>();
	asked.set(api, forms);
	const known = forms.get(sessionId);
	if (known) {
		return await known.catch((error: unknown) => {
			if (forms.get(sessionId) === known) throw error;
			return formOf(sessionId, api);
		});
	}
	const form = registrationForm(api, sessionId);
	forms.set(sessionId, form);
	form.catch((error: unknown) => {
		if (error instanceof Failure && meaningOf(error).again) forms.delete(sessionId);
	});
	return await form;
}
