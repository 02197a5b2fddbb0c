import { meaningOf } from '../core/failures/causes';
import { Failure } from '../core/http/failure';
import type { Api } from '../core/http/ports';
import type { FormField } from './formField';
import type { Read } from '../parameters/read';
import type { MappedPerson } from './personFields';
import { savedForm } from './registrationFields';
import { registrationForm } from './registrationForm';

type Forms = Map<string, Promise<FormField[]>>;

/** By run, because each run has an api of its own, and by session. */
const asked = new WeakMap<Api, Forms>();

interface Mapping {
	api: Api;
	read: Read;
}

/**
 * Maps the answers of one item by the form. With columns entered by hand it is the form that they were loaded from: when it
 * does not have an answer, the session's form of now is read, once in a run. An item that is mapped as a whole needs to
 * know which of its values are answers, so there the form is asked for in any case, once a session.
 */
export async function mapAnswers<Mapped extends MappedPerson>(
	{ api, read }: Mapping,
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

function formOf(sessionId: string, api: Api): Promise<FormField[]> {
	const forms: Forms = asked.get(api) ?? new Map<string, Promise<FormField[]>>();
	asked.set(api, forms);
	return askOnce(forms, sessionId, () => registrationForm(api, sessionId));
}

/** What fails for a moment fails for the item that asked; those that waited for it ask once more. */
async function askOnce(
	forms: Forms,
	sessionId: string,
	ask: () => Promise<FormField[]>,
): Promise<FormField[]> {
	const first = forms.get(sessionId);
	if (first) {
		const form = await first.catch((error: unknown) => {
			if (error instanceof Failure && meaningOf(error).again) return undefined;
			throw error;
		});
		if (form) return form;
	}
	const second = forms.get(sessionId);
	// Of those that waited, the first one asks, and the others wait for that.
	const latest = second === undefined || second === first ? ask() : second;
	forms.set(sessionId, latest);
	return await latest;
}
