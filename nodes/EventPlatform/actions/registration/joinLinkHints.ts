import { isWithoutJoinLink, type Preview } from '../../core/people/outcome';
import { thousands } from '../../core/client/usage';

export function hintsOfMissingLinks(outcomes: readonly Preview[]): string[] {
	const count = outcomes.filter(isWithoutJoinLink).length;
	if (count === 0) return [];
	const whose = count === 1 ? '1 person has' : `${thousands(count)} people have`;
	return [`${whose} no join link: ${noLinkSent}`];
}

export const noLinkSent = "the platform did not send it. 'Get People' may find it later.";
