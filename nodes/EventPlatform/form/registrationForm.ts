import { meaningOf } from '../core/failures/meaning';
import { mostRefused } from '../core/failures/refusalHistory';
import { asFailure, Failure } from '../core/client/failure';
import { isObject } from '../core/values/json';
import { attributesOf } from '../core/client/document';
import { largestPage } from '../core/client/pages';
import { lastPageIn } from '../core/client/page';
import { InvalidSegment } from '../core/client/path';
import type { Api } from '../core/client/request';
import { readEvent, readSession } from '../core/sessions/readSession';
import { attributesIn } from './attributeList';
import { named, questionOf, type FormField } from './formField';

/** Where the questions of a form were read: the event of the session, or all attributes of the workspace, or nowhere. */
export type FormSource = 'session' | 'workspace' | 'none';

/** What people who register are asked, as far as the platform shows it. */
export interface RegistrationForm {
	source: FormSource;
	/** The email first, where the form does not list it. Without a source those that every session takes. */
	questions: readonly FormField[];
}

interface FormsOfRun {
	/** By session; that of no session is the workspace's. */
	asked: Map<string, Promise<RegistrationForm>>;
	/** Sessions that could not be read, since one could. */
	refused: Set<string>;
}

/** Each run has an api of its own. */
const ofRuns = new WeakMap<Api, FormsOfRun>();

/**
 * The session's form, else the attributes of the workspace, else the fields that section 2.2 names; asked for once in a run. What
 * fails for a moment fails for the item that asked; of those that waited for it the first one asks once more.
 */
export async function registrationForm(api: Api, sessionId: string): Promise<RegistrationForm> {
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

async function readForm(api: Api, id: string, run: FormsOfRun): Promise<RegistrationForm> {
	const read = id === '' ? attributesOfWorkspace(api) : formOfSession(api, id, run);
	const own = await read.catch((error: unknown) => {
		const isElsewhere =
			error instanceof InvalidSegment || (error instanceof Failure && meaningOf(error).elsewhere);
		// Anything else is told: the form would not be the session's. IDs of something else would cost a request each.
		if (!isElsewhere || run.refused.size > mostRefused) throw error;
		return [];
	});
	if (own.length > 0) return formOf(own, id === '' ? 'workspace' : 'session');
	// The next source takes over when this one has nothing, or is closed to this credential.
	return id === '' ? formOf(named, 'none') : await registrationForm(api, '');
}

function formOf(own: readonly FormField[], source: FormSource): RegistrationForm {
	// That of a public event does not list the email.
	const questions = own.some(({ id }) => id === 'email') ? own : [...named.slice(0, 1), ...own];
	return { source, questions };
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

/** Page by page, as far as the platform tells that there is another one. */
async function attributesOfWorkspace(api: Api): Promise<FormField[]> {
	const request = { method: 'GET', path: '/people_attributes' } as const;
	const pageOf = (number: number) => ({ 'page[number]': number, 'page[size]': largestPage });
	const questions: FormField[] = [];
	let lastPage = 0;
	for (let number = 0; number <= lastPage; number++) {
		const answer = await api({ ...request, query: pageOf(number) }).catch(asFailure);
		if (!(answer instanceof Failure)) {
			const found = attributesIn(answer.body);
			questions.push(...found);
			if (found.length > 0) lastPage = lastPageIn(answer.body) ?? 0;
			continue;
		}
		if (answer.status !== 400) throw answer;
		// The list became shorter meanwhile.
		if (number > 0) break;
		// The specification does not say that this list has pages: it may not know their parameters.
		return attributesIn((await api(request)).body);
	}
	return questions;
}
