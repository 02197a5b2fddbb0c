import { groupBy } from '../values/collections';
import { sumOf } from './figures';
import type { ReportedPerson, Standing } from './person';

/** The people of all sessions of an event, each once. */
export function oncePerPerson(
	sessions: ReadonlyArray<readonly ReportedPerson[]>,
): ReportedPerson[] {
	// Whoever has neither an address nor an ID is like nobody else.
	const people = groupBy<ReportedPerson, string | ReportedPerson>(
		sessions.flat(),
		(person) => person.key || person,
	);
	return [...people.values()].flatMap((registrations) => {
		const [first, ...later] = registrations.sort(
			(a, b) => (a.registeredAt ?? Infinity) - (b.registeredAt ?? Infinity) || 0,
		);
		return first ? [merge(first, later)] : [];
	});
}

/** In front: who is of the team in one session is no registrant of the event. */
const standings: readonly Standing[] = ['team', 'guest', 'registrant'];

/**
 * What all registrations of one person come to. Times and counts add up, and of the shares of the sessions the largest one
 * tells how long the person stayed. Where the person came from is what the first registration says.
 */
function merge(first: ReportedPerson, later: readonly ReportedPerson[]): ReportedPerson {
	if (later.length === 0) return first;
	const inOrder = [first, ...later];
	const sum = (of: (person: ReportedPerson) => number | undefined): number | undefined =>
		sumOf(inOrder.map(of)) ?? undefined;
	const filled = (of: (person: ReportedPerson) => string): string =>
		inOrder.map(of).find((value) => value !== '') ?? '';
	const shares = inOrder.flatMap(({ share }) => share ?? []);
	return {
		...first,
		standing:
			standings.find((one) => inOrder.some(({ standing }) => standing === one)) ?? first.standing,
		email: filled(({ email }) => email),
		firstName: filled(({ firstName }) => firstName),
		lastName: filled(({ lastName }) => lastName),
		attended: isAny(inOrder.map(({ attended }) => attended)),
		minutes: sum(({ minutes }) => minutes),
		share: shares.length > 0 ? Math.max(...shares) : undefined,
		hasViewedReplay: isAny(inOrder.map(({ hasViewedReplay }) => hasViewedReplay)),
		messages: sum(({ messages }) => messages),
		questions: sum(({ questions }) => questions),
		upVotes: sum(({ upVotes }) => upVotes),
		origin: Object.assign(
			{},
			...inOrder.map(({ origin }) => origin).reverse(),
		) as ReportedPerson['origin'],
		answers: firstAnswers(inOrder),
	};
}

/** True where one of them is, false where those that are given are not, undefined where none is given. */
function isAny(values: ReadonlyArray<boolean | undefined>): boolean | undefined {
	if (values.includes(true)) return true;
	return values.includes(false) ? false : undefined;
}

/** Of each question the first answer that is not empty. */
function firstAnswers(registrations: readonly ReportedPerson[]): ReportedPerson['answers'] {
	const answers = new Map<string, readonly string[]>();
	for (const [id, texts] of registrations.flatMap((person) => [...person.answers])) {
		if ((answers.get(id) ?? []).length === 0) answers.set(id, texts);
	}
	return answers;
}
