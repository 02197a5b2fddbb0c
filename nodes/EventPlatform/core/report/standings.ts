import { thousands } from '../client/usage';
import type { Standing } from './person';

/**
 * Describes how many people of a list are no registrants, because readers would count them among the people who came. Gives no hint
 * where everybody is a registrant.
 */
export function hintsOfStandings(standings: readonly string[]): string[] {
	const groups = [
		countInWords(standings, 'team', 'team member'),
		countInWords(standings, 'guest', 'guest speaker'),
	].filter((words) => words !== undefined);
	if (groups.length === 0) return [];
	return [
		`Of these ${thousands(standings.length)} people, ${groups.join(' and ')}. If you count who attended, leave them out, as 'Get Report' does.`,
	];
}

/** Describes a count: "1 is a team member", "1,204 are team members". */
function countInWords(
	standings: readonly string[],
	standing: Standing,
	word: string,
): string | undefined {
	const count = standings.filter((each) => each === standing).length;
	if (count === 0) return undefined;
	return count === 1 ? `1 is a ${word}` : `${thousands(count)} are ${word}s`;
}
