import { addToGroup } from '../values/collections';
import { countFlags, figuresOf, stayedHalf, type Figures } from './figures';
import type { Origin, ReportedPerson } from './reportedPerson';

export type Division = { by: Origin } | { by: 'question'; questionId: string };

export interface Group extends Figures {
	group?: string;
	stayed_half?: number;
}

/** Divides registrants into groups, the largest first. A person who chose several answers is in several groups. */
export function groupsOf(registrants: readonly ReportedPerson[], division: Division): Group[] {
	const members = new Map<string | undefined, ReportedPerson[]>();
	for (const person of registrants) {
		for (const value of valuesOf(person, division)) addToGroup(members, value, person);
	}
	const groups = [...members].map(([group, people]): Group => {
		const { replay_viewers, registered_after, ...figures } = figuresOf(people);
		const attendingPeople = people.filter(({ attended }) => attended === true);
		const stayed_half =
			figures.attendees === undefined ? undefined : countFlags(attendingPeople.map(stayedHalf));
		return { group, ...figures, stayed_half, replay_viewers, registered_after };
	});
	return groups.sort(bySize);
}

export function isAsked(people: readonly ReportedPerson[], questionId: string): boolean {
	return people.some(({ answers }) => answers.has(questionId));
}

function valuesOf(person: ReportedPerson, division: Division): ReadonlyArray<string | undefined> {
	if (division.by !== 'question') return [person.origin[division.by]];
	const answers = [...new Set(person.answers.get(division.questionId))];
	return answers.length > 0 ? answers : [undefined];
}

/** Puts the largest group first. Of two of the same size, people without a value come last, and names decide otherwise. */
function bySize(a: Group, b: Group): number {
	if (a.registrants !== b.registrants) return b.registrants - a.registrants;
	if (a.group === undefined || b.group === undefined) return a.group === undefined ? 1 : -1;
	return a.group.localeCompare(b.group, 'en');
}
