import { Failure, type Cause } from '../core/http/failure';
import type { Api } from '../core/http/ports';
import type { FormField } from './formField';
import type { Read } from '../parameters/read';
import { savedForm } from './registrationFields';
import { registrationForm } from './registrationForm';

type Forms = Map<string, Promise<FormField[]>>;

/** By run, because each run has an api of its own, and by session. */
const asked = new WeakMap<Api, Forms>();

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
			if (!isPassing(error)) throw error;
			return undefined;
		});
		if (form) return form;
	}
	const second = forms.get(sessionId);
	// Of those that waited, the first one asks, and the others wait for that.
	const latest = second === undefined || second === first ? ask() : second;
	forms.set(sessionId, latest);
	return await latest;
}

function isPassing(error: unknown): boolean {
	return error instanceof Failure && passing.has(error.reason);
}

const passing: ReadonlySet<Cause> = new Set<Cause>([
	'platform_error',
	'rate_limited',
	'unconfirmed',
	'unreachable',
	'not_json',
]);
