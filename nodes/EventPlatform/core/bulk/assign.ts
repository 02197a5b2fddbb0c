import { sharedResult, type TaskResult } from '../jobs/task';
import type { Listed } from '../sessions/sessionPeople';

interface Known {
	/** So many succeeded people of the run stood where they were sent; -Infinity: somebody stood elsewhere. */
	order?: number;
	/** As the job itself counts. */
	succeeded?: number;
	/** Its id stands for other people, too. */
	isOfOthersToo?: boolean;
}

/** So many in order, and nobody elsewhere, prove the order. Fewer could be chance where neighbours overtake each other. */
const orderProof = 40;

/**
 * Finds the result of each person of a job: by the email of the record, then by position where the order is
 * proven, then by elimination. It never guesses: from results that contradict each other nothing is concluded
 * but by email. `left`: what any of the people without a result may have; `open`: the positions of these people,
 * if the list of who is registered may tell whose each is.
 */
export function assign(
	emails: string[],
	given: TaskResult[],
	{ order: before = 0, succeeded, isOfOthersToo = false }: Known = {},
) {
	const positionOf = new Map<string | undefined, number>(emails.map((one, at) => [one, at]));
	const positions = given.map(({ email }) => positionOf.get(email));
	// The same person twice: the count of the others no longer fits, and nothing is guessed.
	const results = emails.map((_, position) => given[positions.indexOf(position)]);
	const inOrder = positions.filter((position, index) => position === index).length;
	const isMoved = positions.some((one, index) => one !== undefined && one !== index);
	const order = isMoved ? -Infinity : before + inOrder;
	const left = given.filter((_, index) => positions[index] === undefined);
	const isComplete = given.length === emails.length;
	const good = given.filter(({ status }) => status === 'registered').length;
	const isMiscounted = isComplete && succeeded !== undefined && succeeded !== good;
	const isSomebodyElse = left.some(({ email }) => email !== undefined);
	const isContradicted =
		isOfOthersToo || isMiscounted || isSomebodyElse || given.length > emails.length;
	const byEmail = { results, open: [], left, order, isContradicted };
	const open = [...results.keys()].filter((position) => results[position] === undefined);
	if (isContradicted || left.length < open.length) return byEmail;
	const isOrdered = isComplete && order >= orderProof && 2 * inOrder >= emails.length;
	const shared = sharedResult(left);
	if (!isOrdered && !shared) return { ...byEmail, open };
	const filled = results.map((result, index) => result ?? (isOrdered ? given[index] : shared));
	return { ...byEmail, results: filled, left: [] };
}

/** Who is there was registered, who is not has failed; nothing unless as many are there as the results say. */
export function conclude(
	emails: string[],
	oneOf: TaskResult[],
	present: ReadonlyMap<string, Listed>,
) {
	const good = oneOf.filter(({ status }) => status !== 'failed');
	const found = emails.filter((email) => present.has(email));
	if (oneOf.length !== emails.length || found.length !== good.length) return [];
	const goodResult = sharedResult(good);
	const badResult = sharedResult(oneOf.filter(({ status }) => status === 'failed'));
	return emails.map((email) => {
		const there = present.get(email);
		return there ? goodResult && { ...goodResult, person: there.person } : badResult;
	});
}
