import { peopleInWords } from '../../core/people/peopleInWords';

/** The name, in a hint, of somebody who was registered before the run; undefined where none is known. */
export type RegisteredBefore = string | undefined;

/** Says that registering people again does not change what they answered, and how to change that. */
export function hintsOfRegisteredBefore(people: readonly RegisteredBefore[]): string[] {
	if (people.length === 0) return [];
	return [`${peopleWere(people)} already registered. ${adviceOnChanging}`];
}

/** Says the same about people whose answers on the platform differ from those that were sent. */
export function hintsOfOtherAnswers(people: readonly RegisteredBefore[]): string[] {
	if (people.length === 0) return [];
	return [`${peopleWere(people)} already registered with other answers. ${adviceOnChanging}`];
}

const adviceOnChanging =
	"They keep their answers. To change them, use 'Sync' (a list) or 'Update' (one person).";

function peopleWere(people: readonly RegisteredBefore[]): string {
	const were = people.length === 1 ? 'was' : 'were';
	return `${peopleInWords(people.length, people)} ${were}`;
}
