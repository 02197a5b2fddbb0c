import { groupBy } from '../values/collections';
import { sumOf } from './figures';
import type { ReportedPerson, Standing } from './person';

/** Gives the people of all sessions of an event, each person once. */
export function oncePerPerson(
	sessions: ReadonlyArray<readonly ReportedPerson[]>,
): ReportedPerson[] {
	// Nothing shows that a person with neither an address nor an ID is the same as another one.
	const people = groupBy<ReportedPerson, string | ReportedPerson>(
		sessions.flat(),
		(person) => person.key ?? person,
	);
	return [...people.values()].flatMap((registrations) => {
		const [first, ...later] = registrations.sort(byRegistration);
		return first ? [mergeRegistrations(first, later)] : [];
	});
}

/** Orders registrations by their time. Those without a time come last. */
function byRegistration(a: ReportedPerson, b: ReportedPerson): number {
	if (a.registeredAt === undefined) return b.registeredAt === undefined ? 0 : 1;
	return b.registeredAt === undefined ? -1 : a.registeredAt - b.registeredAt;
}

/** The first of these standings counts that a person has: a team member of one session is no registrant of the event. */
const standings: readonly Standing[] = ['team', 'guest', 'registrant'];

/**
 * Adds up the registrations of a person. The largest share of a session tells how long the person stayed, and the first
 * registration tells where the person came from.
 */
function mergeRegistrations(
	first: ReportedPerson,
	later: readonly ReportedPerson[],
): ReportedPerson {
	if (later.length === 0) return first;
	const inOrder = [first, ...later];
	const sum = (of: (person: ReportedPerson) => number | undefined): number | undefined =>
		sumOf(inOrder.map(of)) ?? undefined;
	const filled = (of: (person: ReportedPerson) => string): string =>
		inOrder.map(of).find((value) => value !== '') ?? '';
	const shares = inOrder.flatMap(({ share }) => share ?? []);
	return {
		...first,
		standing: standings.find((standing) => isAmong(standing, inOrder)) ?? first.standing,
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

function isAmong(standing: Standing, registrations: readonly ReportedPerson[]): boolean {
	return registrations.some((registration) => registration.standing === standing);
}

/** True where a session says so, false where sessions only deny it, undefined where no session says anything. */
function isAny(values: ReadonlyArray<boolean | undefined>): boolean | undefined {
	if (values.includes(true)) return true;
	return values.includes(false) ? false : undefined;
}

/** Takes the first answer to each question that is not empty. */
function firstAnswers(registrations: readonly ReportedPerson[]): ReportedPerson['answers'] {
	const answers = new Map<string, readonly string[]>();
	for (const [id, texts] of registrations.flatMap((person) => [...person.answers])) {
		if ((answers.get(id) ?? []).length === 0) answers.set(id, texts);
	}
	return answers;
}
