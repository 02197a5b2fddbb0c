import { thousands } from '../client/usage';
import type { Standing } from './person';

/** Says how many of a list are no registrants, who would be counted as people who came. Empty where everybody is one. */
export function hintsOfStandings(standings: readonly string[]): string[] {
	const groups = [
		inWords(standings, 'team', 'team member'),
		inWords(standings, 'guest', 'guest speaker'),
	].filter((words) => words !== undefined);
	if (groups.length === 0) return [];
	return [
		`Of these ${thousands(standings.length)} people, ${groups.join(' and ')}. If you count who attended, leave them out, as 'Get Report' does.`,
	];
}

/** "1 is a team member", "1,204 are team members" */
function inWords(
	standings: readonly string[],
	standing: Standing,
	word: string,
): string | undefined {
	const count = standings.filter((each) => each === standing).length;
	if (count === 0) return undefined;
	return count === 1 ? `1 is a ${word}` : `${thousands(count)} are ${word}s`;
}
