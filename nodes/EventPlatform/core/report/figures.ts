import { nameOf, type ReportedPerson } from './person';

/** A registrant was there for half of the session or more, for less, not at all, or watched only the replay. */
export type Segment = 'attended' | 'left_early' | 'absent' | 'replay_only';

/** Undefined where it is not known whether the person came. A person who came and was not measured counts as `attended`. */
export function segmentOf(person: ReportedPerson): Segment | undefined {
	if (person.attended === true) return (person.share ?? 100) < 50 ? 'left_early' : 'attended';
	if (person.hasViewedReplay === true && person.attended === false) return 'replay_only';
	return person.attended === false ? 'absent' : undefined;
}

/** How much somebody took part; undefined where the platform counts nothing of it. */
export function engagementOf(person: ReportedPerson): number | undefined {
	const { messages, questions, upVotes } = person;
	const isCounted = [messages, questions, upVotes].some((count) => count !== undefined);
	return isCounted ? (messages ?? 0) + 3 * (questions ?? 0) + 2 * (upVotes ?? 0) : undefined;
}

/** The figures of any number of registrants. Null: the platform does not give it. */
export interface Figures {
	registrants: number;
	attendees: number | null;
	/** Attendees among those of whom it is known, in per cent. */
	attendance_rate: number | null;
	/** How long an attendee was there. */
	average_minutes: number | null;
	/** Registrants who watched the replay, whether or not they were there. */
	replay_viewers: number | null;
}

/** The figures of a session or an event. */
export interface Summary extends Figures {
	median_minutes: number | null;
	/** Attendees by the share of the session that they were there, in per cent. */
	stayed_0_25: number | null;
	stayed_25_50: number | null;
	stayed_50_75: number | null;
	stayed_75_100: number | null;
	/** Registrants who were not there, whether or not they watched the replay. */
	absent: number | null;
	/** Questions asked in the session, but for those of the team and guests. */
	questions: number | null;
	unanswered_questions: number | null;
	/** Chat messages of the registrants. */
	messages: number | null;
	/** The people who took part most, with their score: "Ada Lovelace (12), Alan Turing (7)". */
	most_engaged: string | null;
	team_members: number;
	guests: number;
}

/** Counts the attendance of these people, who are a whole session or a group of it. */
export function figuresOf(registrants: readonly ReportedPerson[]): Figures {
	const attendees = registrants.filter(({ attended }) => attended === true);
	const absent = registrants.filter(({ attended }) => attended === false);
	const isAttendanceKnown = attendees.length + absent.length > 0 || registrants.length === 0;
	const viewers = countFlags(registrants.map(({ hasViewedReplay }) => hasViewedReplay));
	return {
		registrants: registrants.length,
		attendees: isAttendanceKnown ? attendees.length : null,
		attendance_rate: percentage(attendees.length, attendees.length + absent.length),
		average_minutes: rounded(mean(minutesOf(attendees))),
		replay_viewers: viewers,
	};
}

/** Counts that the list of questions of a session gives. Null: the platform does not give it. */
export interface QuestionCounts {
	asked: number | null;
	unanswered: number | null;
}

/** The summary of everybody in a session, or of an event, in whose `people` each person stands once. */
export function summaryOf(people: readonly ReportedPerson[], questions: QuestionCounts): Summary {
	const registrants = registrantsOf(people);
	const attendees = registrants.filter(({ attended }) => attended === true);
	const figures = figuresOf(registrants);
	const isAttendanceKnown = figures.attendees !== null;
	const stayed = (from: number, below?: number): number | null => {
		if (!isAttendanceKnown) return null;
		const isInRange = (share: number) => share >= from && (below === undefined || share < below);
		return countShares(attendees, isInRange);
	};
	return {
		registrants: figures.registrants,
		attendees: figures.attendees,
		attendance_rate: figures.attendance_rate,
		average_minutes: figures.average_minutes,
		median_minutes: rounded(median(minutesOf(attendees))),
		stayed_0_25: stayed(0, 25),
		stayed_25_50: stayed(25, 50),
		stayed_50_75: stayed(50, 75),
		stayed_75_100: stayed(75),
		replay_viewers: figures.replay_viewers,
		absent: isAttendanceKnown
			? registrants.filter(({ attended }) => attended === false).length
			: null,
		questions: questions.asked,
		unanswered_questions: questions.unanswered,
		messages: sumOf(registrants.map(({ messages }) => messages)),
		most_engaged: mostEngagedInWords(registrants),
		team_members: people.filter(({ standing }) => standing === 'team').length,
		guests: people.filter(({ standing }) => standing === 'guest').length,
	};
}

export function registrantsOf(people: readonly ReportedPerson[]): ReportedPerson[] {
	return people.filter(({ standing }) => standing === 'registrant');
}

/** Counts the attendees whose share of the session is in a range; null where there are attendees, and the share of none is known. */
export function countShares(
	attendees: readonly ReportedPerson[],
	isInRange: (share: number) => boolean,
): number | null {
	const shares = attendees.flatMap(({ share }) => share ?? []);
	if (shares.length === 0 && attendees.length > 0) return null;
	return shares.filter(isInRange).length;
}

/** A person and how much the person took part. */
export interface Engaged {
	name: string;
	score: number;
}

/** A message has room for five names. */
const mostNamed = 5;

/** Finds the people who took part most, the first one above the others; undefined where the platform counts nothing of it. */
export function mostEngaged(registrants: readonly ReportedPerson[]): Engaged[] | undefined {
	const scored = registrants.flatMap((person) => {
		const score = engagementOf(person);
		return score === undefined ? [] : [{ name: nameOf(person), score }];
	});
	if (scored.length === 0 && registrants.length > 0) return undefined;
	return scored
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score || a.name.localeCompare(b.name, 'en'))
		.slice(0, mostNamed);
}

function mostEngagedInWords(registrants: readonly ReportedPerson[]): string | null {
	const engaged = mostEngaged(registrants);
	return engaged?.map(({ name, score }) => `${name} (${score})`).join(', ') ?? null;
}

/** How many flags are set; null where there are flags, and none of them is given. */
function countFlags(values: ReadonlyArray<boolean | undefined>): number | null {
	return sumOf(values.map((value) => (value === undefined ? undefined : Number(value))));
}

/** Adds up the values that the platform gives; null where it gives none of them. */
export function sumOf(values: ReadonlyArray<number | null | undefined>): number | null {
	const numbers = values.flatMap((value) => value ?? []);
	if (numbers.length === 0 && values.length > 0) return null;
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
	const half = sorted.length / 2;
	return mean(sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1));
}

export function percentage(part: number, whole: number): number | null {
	return whole === 0 ? null : rounded((part / whole) * 100);
}

/** Rounds to one decimal. */
export function rounded(value: number | undefined): number | null {
	return value === undefined ? null : Math.round(value * 10) / 10;
}
