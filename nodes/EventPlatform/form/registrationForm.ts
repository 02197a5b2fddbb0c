import { question, type FormField } from './formField';
import { FormNotes } from './formNotes';
import type { MappedPerson } from './personFields';
import { text } from '../core/http/text';
import { attributesOf, getRecord } from '../core/http/jsonApi';
import { meaningOf } from '../core/failures/causes';
import { mostRefused } from '../core/failures/meanings';
import { Failure } from '../core/http/failure';
import { isObject } from '../core/http/json';
import { listRecords } from '../core/http/paginate';
import type { Api, Json } from '../core/http/ports';
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

/** By run, because each run has an api of its own. */
interface FormsOfRun {
	/** By session; that of no session is the workspace's. */
	asked: Map<string, Promise<FormField[]>>;
	/** Sessions that could not be read, since one could. */
	refused: Set<string>;
}

const ofRuns = new WeakMap<Api, FormsOfRun>();

/**
 * The session's own form, else the attributes of the workspace, else the three fields that always exist; asked for once in a
 * run. What fails for a moment fails for the item that asked; of those that waited for it the first one asks once more.
 */
export async function registrationForm(api: Api, sessionId: string): Promise<FormField[]> {
	const run: FormsOfRun = ofRuns.get(api) ?? { asked: new Map(), refused: new Set() };
	ofRuns.set(api, run);
	const { asked } = run;
	const known = asked.get(sessionId);
	if (known) {
		return await known.catch((error: unknown) => {
			if (asked.get(sessionId) === known) throw error;
			return registrationForm(api, sessionId);
		});
	}
	const form = readForm(api, sessionId, run);
	asked.set(sessionId, form);
	form.catch((error: unknown) => {
		if (error instanceof Failure && meaningOf(error).again) asked.delete(sessionId);
	});
	return await form;
}

async function readForm(api: Api, id: string, run: FormsOfRun): Promise<FormField[]> {
	const read = id === '' ? attributesOfWorkspace(api) : formOfSession(api, id, run);
	const own = await read.catch((error: unknown) => {
		const isElsewhere =
			error instanceof InvalidSegment || (error instanceof Failure && meaningOf(error).elsewhere);
		// Anything else is told, rather than showing a form that is not the session's. A column of
		// something else than sessions would cost a request for each row.
		if (!isElsewhere || run.refused.size > mostRefused) throw error;
		return [];
	});
	// The next source takes over when this one has nothing, or is closed to this credential.
	if (own.length === 0) return id === '' ? named : await registrationForm(api, '');
	return own.some(({ id }) => id === 'email')
		? own.map((field) => ({ ...field, required: field.required || field.id === 'email' }))
		: [...named.slice(0, 1), ...own];
}

async function formOfSession(
	api: Api,
	sessionId: string,
	{ refused }: FormsOfRun,
): Promise<FormField[]> {
	refused.add(sessionId);
	const { session, event } = await readSession(api, sessionId);
	refused.clear();
	const { fields } = attributesOf(
		event ?? (await getRecord(api, pathTo`/events/${attributesOf(session).event_id}`)),
	);
	return (Array.isArray(fields) ? fields : [])
		.filter(isObject)
		.filter(({ id }) => typeof id === 'string')
		.sort((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0))
		.map(({ id, type, required, options }) => {
			const { items, multiple_answers } = type === 'multiple' && isObject(options) ? options : {};
			return {
				id: text(id),
				label: titleCase(text(id)),
				required: required === true,
				multiple: multiple_answers === true,
				choices: choicesOf(items),
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

/** Undefined: none, because the editor would show a list from which nothing can be chosen. */
function choicesOf(options: Json = []): FormField['choices'] {
	const choices = [options].flat().map((one) => {
		const { label, value } = isObject(one) ? one : { label: null, value: one };
		return { label: text(label ?? value), value: text(value) };
	});
	const known = choices.filter(({ value }) => value !== '');
	return known.length > 0 ? known : undefined;
}

/**
 * Maps the answers of one item by the form. With columns entered by hand it is the form that they were loaded from: when it
 * does not have an answer, the session's form of now is read, once in a run. An item that is mapped as a whole needs to
 * know which of its values are answers, so there the form is asked for in any case, once a session.
 */
export async function mapAnswers<Mapped extends MappedPerson>(
	{ api, read }: { api: Api; read: Read },
	map: (read: Read, form?: FormField[]) => Mapped,
	notes: FormNotes,
	place = 0,
): Promise<Mapped> {
	const isWhole = read.mapsAutomatically('fields');
	const columns = isWhole ? [] : read.mapperColumns('fields');
	const saved = columns.length > 0 ? columns.map(question) : undefined;
	const formOfNow = () => registrationForm(api, read.id('sessionId'));
	let form = isWhole ? await formOfNow() : saved;
	let person = map(read, form);
	if (saved && person.doubts.length > 0) {
		const now = new Map((await formOfNow()).map((field) => [field.id, field]));
		form = saved.map((field) => now.get(field.id) ?? field);
		person = map(read, form);
	}
	// With the option the platform decides.
	if (person.doubts.length > 0 && !read.option('sendUnknownChoices')) {
		person.problems.push(...person.doubts);
	}
	notes.add(place, person, form);
	return person;
}

/** The person of one item: what the form does not ask for is told, and what cannot be sent is refused. */
export async function readOne<Mapped extends MappedPerson>(
	visit: { api: Api; read: Read; hint: (message: string) => void },
	map: (read: Read, form?: FormField[]) => Mapped,
	consequence: string,
): Promise<{ person: Mapped; notes: FormNotes }> {
	const notes = new FormNotes();
	const person = await mapAnswers(visit, map, notes);
	notes.notAsked().forEach(visit.hint);
	if (person.problems.length === 0) return { person, notes };
	// The first sentence is the title, because it names the cause.
	const [cause = '', ...more] = person.problems.join(' ').split(/(?<=\.) /);
	throw visit.read.refusal(cause.replace(/\.$/, ''), [...more, consequence].join(' '));
}
