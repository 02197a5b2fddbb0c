import { groupBy } from '../core/http/collections';
import { text } from '../core/http/json';
import type { Fields } from '../core/records/simplify';
import { closeTo } from './formField';
import type { Registrant } from './personFields';

/* What there is to tell of the people of a run beside what became of them. */

/** Columns that no question takes. */
export function notAsked(people: readonly Registrant[]): string[] {
	const mapped = people.filter(({ ignored }) => ignored.length > 0);
	if (mapped.length === 0) return [];
	const questions = [...new Set(mapped.map(({ form = [] }) => form))].flat();
	const answered = new Set(mapped.flatMap(({ wanted }) => wanted.fields.map(({ id }) => id)));
	const open = questions.filter(({ id }) => !answered.has(id)).map(({ label }) => label);
	const columns = [...new Set(mapped.flatMap(({ ignored }) => ignored))].map((name) => {
		const meant = closeTo(name, open);
		return meant === undefined ? `'${name}'` : `'${name}' (did you mean '${meant}'?)`;
	});
	const labels = new Set(questions.map(({ label }) => `'${label}'`));
	return [
		`Not on the registration form and therefore ignored: ${columns.join(', ')}. It asks for ${[...labels].join(', ')}.`,
	];
}

/** A session → the columns of the registrations that the platform has shown, with the answers that it keeps. */
export type Shown = Map<string, Set<string>>;

export function noteColumns(registration: Fields, shown: Shown): void {
	if (registration.answers === undefined) return;
	const session = text(registration.get('session_id'));
	const columns = shown.get(session) ?? new Set();
	shown.set(session, columns);
	for (const name of registration.keys()) columns.add(name);
}

/** Answers of people whose registration came back, and no registration of their session has them. */
export function notKept(registered: readonly Registrant[], shown: Shown): string[] {
	const dropped = registered.flatMap(({ sessionId, wanted, form }) => {
		const columns = shown.get(sessionId);
		const isKept = (id: string) => !columns || columns.has(id) || columns.has(`${id}_answer`);
		const ids = wanted.fields.map(({ id }) => id).filter((id) => !isKept(id));
		return ids.map((id) => form?.find((field) => field.id === id)?.label ?? id);
	});
	if (dropped.length === 0) return [];
	return [
		`Sent, but not kept by the platform: ${counted(dropped)}. The registration form of the session does not seem to ask for it.`,
	];
}

/** What the form requires and people who were registered have not answered. */
export function withoutAnswer(registered: readonly Registrant[]): string[] {
	const missed = registered.flatMap(({ unanswered }) => unanswered);
	if (missed.length === 0) return [];
	return [`Registered without answers that the form requires: ${counted(missed)}.`];
}

/** Each once, with the number of people where there are several. */
function counted(labels: readonly string[]): string {
	const groups = [...groupBy(labels, (label) => label)].map(([label, { length }]) => {
		return `'${label}'${length > 1 ? ` (${length} people)` : ''}`;
	});
	return groups.join(', ');
}
