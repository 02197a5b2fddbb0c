import { personName, type ReportedPerson } from './reportedPerson';

/**
 * The group of a registrant: those who were there for half of the session or more, for less, not at all, who registered when it
 * was over, or who watched only the replay.
 */
type Segment = 'attended' | 'left_early' | 'absent' | 'registered_after' | 'replay_only';

/** Undefined where the time was not measured. */
export function stayedHalf({ share }: ReportedPerson): boolean | undefined {
	return share === undefined ? undefined : share >= 50;
}

/** Undefined: nobody knows whether the person came. Who came and was not measured counts as `attended`. */
export function segmentOf(person: ReportedPerson): Segment | undefined {
	if (person.attended === true) return stayedHalf(person) === false ? 'left_early' : 'attended';
	if (person.attended === undefined && !person.registeredAfter) return undefined;
	if (person.hasViewedReplay === true) return 'replay_only';
	return person.registeredAfter ? 'registered_after' : 'absent';
}

/**
 * The score of a person, which is our own choice: a question takes more effort than an up-vote, and an up-vote shows more interest than a
 * message. Votes in polls have no part in it, although they count as engaged.
 */
export const scoreInWords = 'messages + 3 × questions + 2 × up-votes';

/** Undefined: the platform counts nothing of it. */
export function engagementOf(person: ReportedPerson): number | undefined {
	const { messages, questions, upVotes } = person;
	const isCounted = [messages, questions, upVotes].some((count) => count !== undefined);
	return isCounted ? (messages ?? 0) + 3 * (questions ?? 0) + 2 * (upVotes ?? 0) : undefined;
}

function isEngaged({ messages, questions, votes, upVotes }: ReportedPerson): boolean | undefined {
	const actions = sumOf([messages, questions, votes, upVotes]);
	return actions === undefined ? undefined : actions > 0;
}

/**
 * The figures of any number of registrants, by the names that they have in the output. A figure is undefined where the
 * platform does not give it.
 */
export interface Figures {
	registrants: number;
	attendees?: number;
	/** The part of attendees among those of whom it is known, in per cent. */
	attendance_rate?: number;
	/** The number of attendees who sent a message, asked or voted. */
	engaged?: number;
	/** The part of them among the attendees of whom it is known, in per cent. */
	engaged_rate?: number;
	average_minutes?: number;
	replay_viewers?: number;
	/** The number of registrants who registered when the session was over: they can neither have come nor have stayed away. */
	registered_after?: number;
}

export interface Summary extends Figures {
	median_minutes?: number;
	stayed_0_25?: number;
	stayed_25_50?: number;
	stayed_50_75?: number;
	stayed_75_100?: number;
	absent?: number;
	/** The number of questions that were asked in the session, except those of the team and guests. */
	questions?: number;
	unanswered_questions?: number;
	messages?: number;
	/** The people who took part most, with their score: "Ada Lovelace (12), Alan Turing (7)". */
	most_engaged?: string;
	team_members: number;
	guests: number;
}

/** `isAttendanceKnown`: it matters where nobody is registered, and says whether nobody came, or nobody can have come yet. */
export function figuresOf(
	registrants: readonly ReportedPerson[],
	isAttendanceKnown = false,
): Figures {
	const attendees = registrants.filter(({ attended }) => attended === true);
	const absent = registrants.filter(({ attended }) => attended === false);
	const registeredAfter = countFlags(registrants.map((person) => person.registeredAfter));
	const knownCount = attendees.length + absent.length + (registeredAfter ?? 0);
	const hasAttendance = knownCount > 0 || (registrants.length === 0 && isAttendanceKnown);
	const engagement = attendees.map(isEngaged);
	const engaged = hasAttendance ? countFlags(engagement) : undefined;
	const countedAttendees = engagement.filter((isKnown) => isKnown !== undefined);
	return {
		registrants: registrants.length,
		attendees: hasAttendance ? attendees.length : undefined,
		attendance_rate: percentage(attendees.length, attendees.length + absent.length),
		engaged,
		engaged_rate: engaged === undefined ? undefined : percentage(engaged, countedAttendees.length),
		average_minutes: rounded(mean(minutesOf(attendees))),
		replay_viewers: countFlags(registrants.map(({ hasViewedReplay }) => hasViewedReplay)),
		registered_after: registeredAfter,
	};
}

/** The counts of the questions of a session or an event. A count is undefined where the platform does not give it. */
export interface QuestionCounts {
	askedCount?: number;
	unansweredCount?: number;
}

/** The part of a report that its summary is made of. */
export interface SummarizedReport {
	readonly people: readonly ReportedPerson[];
	readonly isAttendanceKnown: boolean;
	readonly questions: QuestionCounts;
}

export function summaryOf({ people, isAttendanceKnown, questions }: SummarizedReport): Summary {
	const registrants = registrantsOf(people);
	const attendees = registrants.filter(({ attended }) => attended === true);
	const { replay_viewers, registered_after, ...figures } = figuresOf(
		registrants,
		isAttendanceKnown,
	);
	const hasAttendance = figures.attendees !== undefined;
	const countStayed = (from: number, below?: number): number | undefined => {
		if (!hasAttendance) return undefined;
		const isInRange = (share: number) => share >= from && (below === undefined || share < below);
		return countShares(attendees, isInRange);
	};
	return {
		...figures,
		median_minutes: rounded(median(minutesOf(attendees))),
		stayed_0_25: countStayed(0, 25),
		stayed_25_50: countStayed(25, 50),
		stayed_50_75: countStayed(50, 75),
		stayed_75_100: countStayed(75),
		replay_viewers,
		absent: hasAttendance
			? registrants.filter(({ attended }) => attended === false).length
			: undefined,
		registered_after,
		questions: questions.askedCount,
		unanswered_questions: questions.unansweredCount,
		messages: sumOf(registrants.map(({ messages }) => messages)),
		most_engaged: mostEngagedInWords(registrants),
		team_members: people.filter(({ standing }) => standing === 'team').length,
		guests: people.filter(({ standing }) => standing === 'guest').length,
	};
}

/** The number of attendees who were there for half of the session or longer. As in the groups, those who were not measured do not count. */
export function stayedHalfIn({ stayed_50_75, stayed_75_100 }: Summary): number | undefined {
	return stayed_50_75 === undefined || stayed_75_100 === undefined
		? undefined
		: stayed_50_75 + stayed_75_100;
}

export function registrantsOf(people: readonly ReportedPerson[]): ReportedPerson[] {
	return people.filter(({ standing }) => standing === 'registrant');
}

/** Counts the attendees whose share of the session is in a range; undefined where there are attendees but none whose share is known. */
function countShares(
	attendees: readonly ReportedPerson[],
	isInRange: (share: number) => boolean,
): number | undefined {
	const shares = attendees.flatMap(({ share }) => share ?? []);
	if (shares.length === 0 && attendees.length > 0) return undefined;
	return shares.filter(isInRange).length;
}

export interface Engaged {
	name: string;
	score: number;
}

/** No more people than this are named, because a message has room for five names. */
const mostEngagedNamed = 5;

/** Finds the people who took part most, the one with the highest score first; undefined where the platform counts nothing of it. */
export function findMostEngaged(registrants: readonly ReportedPerson[]): Engaged[] | undefined {
	const scored = registrants.flatMap((person) => {
		const score = engagementOf(person);
		return score === undefined ? [] : [{ name: personName(person), score }];
	});
	if (scored.length === 0 && registrants.length > 0) return undefined;
	return scored
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score || a.name.localeCompare(b.name, 'en'))
		.slice(0, mostEngagedNamed);
}

function mostEngagedInWords(registrants: readonly ReportedPerson[]): string | undefined {
	const engaged = findMostEngaged(registrants);
	return engaged?.map(({ name, score }) => `${name} (${score})`).join(', ');
}

/** Counts the flags that are true; undefined where there are people, and the platform gives the flag of none of them. */
export function countFlags(values: ReadonlyArray<boolean | undefined>): number | undefined {
	return sumOf(values.map((value) => (value === undefined ? undefined : Number(value))));
}

export function sumOf(values: ReadonlyArray<number | undefined>): number | undefined {
	const numbers = values.flatMap((value) => value ?? []);
	if (numbers.length === 0 && values.length > 0) return undefined;
	return numbers.reduce((sum, value) => sum + value, 0);
}

function minutesOf(attendees: readonly ReportedPerson[]): number[] {
	return attendees.flatMap(({ minutes }) => minutes ?? []);
}

function mean(values: readonly number[]): number | undefined {
	if (values.length === 0) return undefined;
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number | undefined {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	return mean(sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1));
}

function percentage(part: number, whole: number): number | undefined {
	return whole === 0 ? undefined : rounded((part / whole) * 100);
}

export function rounded(value: number | undefined): number | undefined {
	return value === undefined ? undefined : Math.round(value * 10) / 10;
}
