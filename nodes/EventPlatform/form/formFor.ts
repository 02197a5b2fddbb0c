import type { Api } from '../core/http/ports';
import type { FormField } from './personFields';
import type { Read } from '../parameters/read';
import { savedForm } from './registrationFields';
import { registrationForm } from './registrationForm';

const asked = new WeakMap<Api, Map<string, Promise<FormField[]>>>();

/**
 * The form to map by. With columns entered by hand it is the one they were loaded from; an item that is
 * mapped as a whole needs to know which of its values are answers, so the form is asked for once a session.
 */
export function formFor({
	api,
	read,
}: {
	api: Api;
	read: Read;
}): FormField[] | undefined | Promise<FormField[]> {
	const saved = savedForm(read);
	if (saved !== undefined || !read.mapsAutomatically('fields')) return saved;
	const sessionId = read.id('sessionId');
	const forms = asked.get(api) ?? new Map<string, Promise<FormField[]>>();
	asked.set(api, forms);
	const form = forms.get(sessionId) ?? registrationForm(api, sessionId);
	forms.set(sessionId, form);
	return form;
}
