import { peopleInWords } from '../../core/people/peopleInWords';

/** Somebody who was registered before the run, by the name that a hint gives. */
export type RegisteredBefore = string | undefined;

/** Says that registering people again does not change what they answered, and how to change that. */
export function hintsOfRegisteredBefore(people: readonly RegisteredBefore[]): string[] {
	if (people.length === 0) return [];
	return [`${peopleWere(people)} already registered. ${toChange}`];
}

/** The same of people whose answers on the platform are other ones than those that were sent. */
export function hintsOfOtherAnswers(people: readonly RegisteredBefore[]): string[] {
	if (people.length === 0) return [];
	return [`${peopleWere(people)} already registered with other answers. ${toChange}`];
}

const toChange =
	"They keep their answers. To change them, use 'Sync' (a list) or 'Update' (one person).";

function peopleWere(people: readonly RegisteredBefore[]): string {
	const were = people.length === 1 ? 'was' : 'were';
	return `${peopleInWords(people.length, people)} ${were}`;
}
