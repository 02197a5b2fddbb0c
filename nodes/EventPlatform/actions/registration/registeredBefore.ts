import { peopleInWords } from '../../core/people/peopleInWords';

export type RegisteredBefore = string | undefined;

export function hintsOfRegisteredBefore(people: readonly RegisteredBefore[]): string[] {
	if (people.length === 0) return [];
	return [`${peopleWere(people)} already registered. ${adviceOnChanging}`];
}

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
