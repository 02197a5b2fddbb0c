import { groupBy, largestOf } from '../values/collections';
import { sumOf } from './figures';
import type { ReportedPerson, ReportedStanding } from './reportedPerson';

/** Two records of one address are one person, in a session as in an event. */
export function oncePerPerson(lists: ReadonlyArray<readonly ReportedPerson[]>): ReportedPerson[] {
	// Nothing shows that a person with neither an address nor an ID is the same as another one.
	const people = groupBy<ReportedPerson, string | ReportedPerson>(
		lists.flat(),
		(person) => person.key ?? person,
	);
	return [...people.values()].flatMap((registrations) => {
		const [first, ...later] = registrations.sort(byRegistration);
		return first ? [mergeRegistrations(first, later)] : [];
	});
}

function byRegistration(a: ReportedPerson, b: ReportedPerson): number {
	if (a.registeredAt === undefined) return b.registeredAt === undefined ? 0 : 1;
	return b.registeredAt === undefined ? -1 : a.registeredAt - b.registeredAt;
}

/** A person has the first of these standings that any session shows: a team member of one session is no registrant of the event. */
const standingsByRank: readonly ReportedStanding[] = ['team', 'guest', 'registrant'];

/**
 * Adds up the registrations of a person. The largest share of a session tells how long the person stayed, and the first
 * registration that says where the person came from tells that.
 */
function mergeRegistrations(
	first: ReportedPerson,
	later: readonly ReportedPerson[],
): ReportedPerson {
	if (later.length === 0) return first;
	const inOrder = [first, ...later];
	const addUp = (read: (person: ReportedPerson) => number | undefined): number | undefined =>
		sumOf(inOrder.map(read));
	const findFirst = (read: (person: ReportedPerson) => string | undefined): string | undefined =>
		inOrder.map(read).find((value) => value !== undefined);
	const shares = inOrder.flatMap(({ share }) => share ?? []);
	const attendedAt = inOrder.flatMap(({ lastAttendedAt }) => lastAttendedAt ?? []);
	return {
		...first,
		standing: standingsByRank.find((standing) => isAmong(standing, inOrder)) ?? first.standing,
		email: findFirst(({ email }) => email),
		firstName: findFirst(({ firstName }) => firstName),
		lastName: findFirst(({ lastName }) => lastName),
		attended: isTrueOfAny(inOrder.map(({ attended }) => attended)),
		registeredAfter: isTrueOfAll(inOrder.map(({ registeredAfter }) => registeredAfter)),
		minutes: addUp(({ minutes }) => minutes),
		share: shares.length > 0 ? largestOf(shares) : undefined,
		sessionsRegistered: addUp(({ sessionsRegistered }) => sessionsRegistered),
		sessionsAttended: addUp(({ sessionsAttended }) => sessionsAttended),
		lastAttendedAt: attendedAt.length > 0 ? largestOf(attendedAt) : undefined,
		hasViewedReplay: isTrueOfAny(inOrder.map(({ hasViewedReplay }) => hasViewedReplay)),
		messages: addUp(({ messages }) => messages),
		questions: addUp(({ questions }) => questions),
		votes: addUp(({ votes }) => votes),
		upVotes: addUp(({ upVotes }) => upVotes),
		// Nobody came from the source of one registration and the campaign of another one.
		origin: {
			...inOrder.find(tellsWhence)?.origin,
			country: findFirst(({ origin }) => origin.country),
		},
		answers: firstAnswers(inOrder),
	};
}

function tellsWhence({ origin }: ReportedPerson): boolean {
	return Object.keys(origin).some((name) => name !== 'country');
}

function isAmong(standing: ReportedStanding, registrations: readonly ReportedPerson[]): boolean {
	return registrations.some((registration) => registration.standing === standing);
}

/** False where sessions only deny the fact, and undefined where no session says anything. */
function isTrueOfAny(values: ReadonlyArray<boolean | undefined>): boolean | undefined {
	if (values.includes(true)) return true;
	return values.includes(false) ? false : undefined;
}

/** False where a session denies the fact, and otherwise undefined where one says nothing. */
function isTrueOfAll(values: ReadonlyArray<boolean | undefined>): boolean | undefined {
	if (values.includes(false)) return false;
	return values.includes(undefined) ? undefined : true;
}

function firstAnswers(registrations: readonly ReportedPerson[]): ReportedPerson['answers'] {
	const answers = new Map<string, readonly string[]>();
	for (const [id, texts] of registrations.flatMap((person) => [...person.answers])) {
		if ((answers.get(id) ?? []).length === 0) answers.set(id, texts);
	}
	return answers;
}
