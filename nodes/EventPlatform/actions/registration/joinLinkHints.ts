import { isWithoutJoinLink, type Preview } from '../../core/people/outcome';
import { thousands } from '../../core/client/usage';

/** Says how many people have no known join link. */
export function hintsOfMissingLinks(outcomes: readonly Preview[]): string[] {
	const count = outcomes.filter(isWithoutJoinLink).length;
	if (count === 0) return [];
	const whose = count === 1 ? '1 person has' : `${thousands(count)} people have`;
	return [`${whose} no join link: ${noLinkSent}`];
}

/** The reason why a person has no join link, and the advice, as the end of a hint. */
export const noLinkSent = "the platform did not send it. 'Get People' may find it later.";
