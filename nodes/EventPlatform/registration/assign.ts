import { commonFate, type TaskResult } from './taskResult';

/** The result of each person; undefined where it cannot be told which one is theirs. */
export interface Assignment {
	results: Array<TaskResult | undefined>;
	/** Those that could be anybody's of the people without one. */
	left: TaskResult[];
	/** Succeeded people stood elsewhere than where they were sent. */
	orderBroken: boolean;
}

/** The odds against this order by chance that count as proof. */
const proofOdds = 1e6;

/**
 * Finds the result of each person of a job: by the email of the person record, then by place where
 * the succeeded ones prove that order is kept, then by elimination. It never guesses.
 */
export function assign(
	emails: readonly string[],
	given: readonly TaskResult[],
	orderIsTrusted = true,
): Assignment {
	const byEmail = assignByEmail(emails, given);
	const { results, taken } = byEmail;
	const sameNumber = given.length === emails.length;
	if (sameNumber && orderIsTrusted && !byEmail.moved && isProven(byEmail.inPlace, emails.length)) {
		for (const [index, result] of given.entries()) {
			if (results[index] === undefined && !taken.has(index)) results[index] = result;
		}
		return { results, left: [], orderBroken: false };
	}
	const left = given.filter((_, index) => !taken.has(index));
	const open = [...results.keys()].filter((index) => results[index] === undefined);
	const fate = left.length === open.length ? commonFate(left) : undefined;
	if (!fate) return { results, left, orderBroken: byEmail.moved };
	for (const index of open) results[index] = fate;
	return { results, left: [], orderBroken: byEmail.moved };
}

function assignByEmail(emails: readonly string[], given: readonly TaskResult[]) {
	const results = new Array<TaskResult | undefined>(emails.length).fill(undefined);
	const placeOf = new Map(emails.map((email, place) => [email, place]));
	const taken = new Set<number>();
	let inPlace = 0;
	let moved = false;
	for (const [index, result] of given.entries()) {
		const place = result.email === undefined ? undefined : placeOf.get(result.email);
		if (place === undefined) continue;
		if (place === index) inPlace += 1;
		else moved = true;
		// The same person twice: the count of the others no longer fits, and nothing is guessed.
		if (results[place] === undefined) results[place] = result;
		taken.add(index);
	}
	return { results, taken, inPlace, moved };
}

/** Half of the people stand where they were sent, and a random order would not do that. */
function isProven(inPlace: number, size: number): boolean {
	let odds = 1;
	for (let place = 0; place < inPlace; place++) odds *= size - place;
	return 2 * inPlace >= size && odds >= proofOdds;
}
