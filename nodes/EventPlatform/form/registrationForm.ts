import type { ResourceMapperField } from 'n8n-workflow';
import { named, question, type FormField } from './formField';
import { notAsked } from './formNotes';
import { cleanAnswer, personFields, type Registrant } from './personFields';
import { isObject, text, type Json } from '../core/http/json';
import { attributesOf, listRecords } from '../core/http/jsonApi';
import { meaningOf } from '../core/failures/causes';
import { mostRefused } from '../core/failures/meanings';
import { Failure } from '../core/http/failure';
import { InvalidSegment, type Api } from '../core/http/ports';
import { readEvent, readSession } from '../core/sessions/readSession';
import { snakeCase, titleCase } from '../parameters/field';
import type { Read } from '../parameters/read';

interface FormsOfRun {
	/** By session; that of no session is the workspace's. */
	asked: Map<string, Promise<FormField[]>>;
	/** Sessions that could not be read, since one could. */
	refused: Set<string>;
}

/** Each run has an api of its own. */
const ofRuns = new WeakMap<Api, FormsOfRun>();

/**
 * The session's form, else the attributes of the workspace, else the fields that always exist; asked for once in a run. What
 * fails for a moment fails for the item that asked; of those that waited for it the first one asks once more.
 */
export async function registrationForm(api: Api, sessionId: string): Promise<FormField[]> {
	const run: FormsOfRun = ofRuns.get(api) ?? { asked: new Map(), refused: new Set() };
	ofRuns.set(api, run);
	const known = run.asked.get(sessionId);
	const form = known ?? readForm(api, sessionId, run);
	run.asked.set(sessionId, form);
	return await form.catch((error: unknown) => {
		const passes = error instanceof Failure && meaningOf(error).again;
		if (passes && known) return registrationForm(api, sessionId);
		if (passes) run.asked.delete(sessionId);
		throw error;
	});
}

async function readForm(api: Api, id: string, run: FormsOfRun): Promise<FormField[]> {
	const read = id === '' ? attributesOfWorkspace(api) : formOfSession(api, id, run);
	const own = await read.catch((error: unknown) => {
		const isElsewhere =
			error instanceof InvalidSegment || (error instanceof Failure && meaningOf(error).elsewhere);
		// Anything else is told: the form would not be the session's. IDs of something else would cost a request each.
		if (!isElsewhere || run.refused.size > mostRefused) throw error;
		return [];
	});
	// The next source takes over when this one has nothing, or is closed to this credential.
	if (own.length === 0) return id === '' ? named : await registrationForm(api, '');
	return own.some(({ id }) => id === 'email') ? own : [...named.slice(0, 1), ...own];
}

async function formOfSession(api: Api, sessionId: string, { refused }: FormsOfRun) {
	refused.add(sessionId);
	await readSession(api, sessionId);
	refused.clear();
	const { fields = [] } = attributesOf(await readEvent(api, sessionId));
	return [fields]
		.flat()
		.filter(isObject)
		.sort((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0))
		.flatMap(({ id, type, required, options }) => {
			const { items, multiple_answers } = type === 'multiple' && isObject(options) ? options : {};
			const multiple = multiple_answers === true;
			return questionOf(id, { items, multiple, required: required === true });
		});
}

async function attributesOfWorkspace(api: Api) {
	const records = await listRecords(api, '/people_attributes');
	return records.map(attributesOf).flatMap(({ slug, name, type, options }) => {
		const items = text(type).endsWith('_select') ? options : undefined;
		return questionOf(slug, { name, items, multiple: type === 'multiple_select' });
	});
}

/** None without an ID. Choices are undefined where there are none: the editor would show a list from which nothing can be chosen. */
function questionOf(
	id: Json | undefined,
	field: { name?: Json; items?: Json; multiple: boolean; required?: boolean },
): FormField[] {
	if (typeof id !== 'string') return [];
	const { name, items = [], multiple } = field;
	const choices = [items].flat().map((one) => {
		const { label, value } = isObject(one) ? one : { label: null, value: one };
		return { name: text(label ?? value), value: text(value) };
	});
	const known = choices.filter(({ value }) => value !== '');
	const label = text(name) || titleCase(id);
	const required = field.required === true || id === 'email';
	return [{ id, label, required, multiple, choices: known.length > 0 ? known : undefined }];
}

/**
 * The person that one item stands for; `isKnown`: registered already. Of columns entered by hand the form is the one that they
 * were loaded from; only where it lacks an answer the session's form of now is read. Of an item that is mapped as a whole,
 * nothing else tells what answers are.
 */
export async function registrantOf(api: Api, read: Read, isKnown = false): Promise<Registrant> {
	const sessionId = read.id('sessionId');
	const { values, columns } = read.mapped();
	const saved = columns && savedForm(columns);
	const form = columns ? saved : await registrationForm(api, sessionId);
	let person = personFields(values, form, isKnown);
	if (saved && person.doubts.length > 0) {
		const formOfNow = await registrationForm(api, sessionId);
		const now = new Map(formOfNow.map((field) => [field.id, field]));
		const latest = saved.map((field) => now.get(field.id) ?? field);
		person = personFields(values, latest, isKnown);
	}
	const { fields, email, ignored, unanswered, doubts, problems } = person;
	const tracking = readTracking(read, problems);
	// With the option the platform decides.
	if (doubts.length > 0 && !read.option('sendUnknownChoices')) problems.push(...doubts);
	return {
		...{ sessionId, email, form },
		wanted: { fields: [...fields], tracking },
		...{ problems: spare(problems), ignored: spare(ignored), unanswered: spare(unanswered) },
	};
}

// A run holds each person. A list that grew by itself has room for 17, and most have nothing of this.
const none = { texts: [], tracking: {} };
const spare = (texts: string[]) => (texts.length > 0 ? [...texts] : none.texts);

/** One for all items, whose columns are the same. */
const savedForms = new WeakMap<readonly ResourceMapperField[], FormField[]>();

function savedForm(columns: readonly ResourceMapperField[]): FormField[] | undefined {
	const form = savedForms.get(columns) ?? columns.map(question);
	savedForms.set(columns, form);
	return form.length > 0 ? form : undefined;
}

function readTracking(read: Read, problems: string[]): Record<string, string> {
	const tracking: Record<string, string> = {};
	for (const [name, given] of Object.entries(read.chosen('additionalFields'))) {
		const key = snakeCase(name);
		const found = cleanAnswer(titleCase(key), given);
		if (found?.problem !== undefined) problems.push(found.problem);
		else if (found) tracking[key] = [found.value].flat().join(', ').trim();
	}
	return Object.keys(tracking).length > 0 ? tracking : none.tracking;
}

/** The person of one item: what the form does not ask for is told, and what cannot be sent is refused. */
export async function readOne(
	{ api, read, hint }: { api: Api; read: Read; hint: (message: string) => void },
	consequence: string,
	isKnown?: boolean,
): Promise<Registrant> {
	const person = await registrantOf(api, read, isKnown);
	notAsked([person]).forEach(hint);
	if (person.problems.length === 0) return person;
	const [cause = '', ...more] = person.problems;
	throw read.refusal(cause.replace(/\.$/, ''), [...more, consequence].join(' '));
}
