import { commonFate, type TaskResult } from '../jobs/task';
import type { Presence } from '../sessions/sessionPeople';

/** What the succeeded people of a run have shown about the order of results. */
export interface OrderSeen {
	/** They stood where they were sent. */
	inPlace: number;
	/** Some of them stood elsewhere. */
	isBroken: boolean;
}

/** The result of each person; undefined where it cannot be told which one is theirs. */
export interface Assignment {
	results: Array<TaskResult | undefined>;
	/** Those that could be anybody's of the people without one. */
	left: TaskResult[];
	/** With what this job has shown. */
	order: OrderSeen;
}

/**
 * So many people in their place, and nobody elsewhere, prove that the platform keeps the order, for
 * a job of which at least half can be seen to be in place. Fewer could be chance where neighbours
 * overtake each other now and then.
 */
const orderProof = 40;

/**
 * Finds the result of each person of a job: by the email of the person record, then by place where
 * the succeeded ones prove that order is kept, then by elimination. It never guesses.
 */
export function assign(
	emails: readonly string[],
	given: readonly TaskResult[],
	before: OrderSeen = { inPlace: 0, isBroken: false },
	/** The results contradict what else is known, so that nothing else is concluded from them. */
	onlyByEmail = false,
): Assignment {
	const placeOf = new Map(emails.map((email, place) => [email, place]));
	const places = given.map(({ email }) => (email === undefined ? undefined : placeOf.get(email)));
	// The same person twice: the count of the others no longer fits, and nothing is guessed.
	const results = emails.map((_, place) => given[places.indexOf(place)]);
	const inPlace = places.filter((place, index) => place === index).length;
	const moved = places.some((place, index) => place !== undefined && place !== index);
	const order = { inPlace: before.inPlace + inPlace, isBroken: before.isBroken || moved };
	const left = given.filter((_, index) => places[index] === undefined);
	if (onlyByEmail) return { results, left, order };
	const isProven = !order.isBroken && order.inPlace >= orderProof && 2 * inPlace >= emails.length;
	if (isProven && given.length === emails.length) {
		return { results: results.map((result, index) => result ?? given[index]), left: [], order };
	}
	const open = results.filter((result) => result === undefined);
	const fate = left.length === open.length ? commonFate(left) : undefined;
	if (!fate) return { results, left, order };
	return { results: results.map((result) => result ?? fate), left: [], order };
}

/**
 * The results of the people in question. Who is there was registered, who is not has failed, as
 * long as the platform's list has as many of them as the results say; else nothing is concluded.
 */
export function conclude(
	emails: readonly string[],
	oneOf: readonly TaskResult[],
	present: Presence,
): Array<TaskResult | undefined> {
	const good = oneOf.filter(({ status }) => status !== 'failed');
	const found = emails.filter((email) => present.has(email));
	if (oneOf.length !== emails.length || found.length !== good.length) return [];
	const goodFate = commonFate(good);
	const badFate = commonFate(oneOf.filter(({ status }) => status === 'failed'));
	return emails.map((email) => {
		const there = present.get(email);
		return there ? goodFate && { ...goodFate, person: there.person } : badFate;
	});
}
