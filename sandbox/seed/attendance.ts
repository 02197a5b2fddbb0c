/** The attendance of a seeded person at a session that was held. The number of the person decides it. */
interface SeededAttendance {
	attended: boolean;
	/** How much of the session the person was there, in per cent. */
	rate: number;
	hasViewedReplay: boolean;
	messages: number;
	questions: number;
	votes: number;
	upVotes: number;
}

export const notHeld: SeededAttendance = {
	attended: false,
	rate: 0,
	hasViewedReplay: false,
	messages: 0,
	questions: 0,
	votes: 0,
	upVotes: 0,
};

/** Two of three who are registered attend. */
export function comes(number: number): boolean {
	return number % 3 !== 0;
}

/** Most people who stay take part, and people who missed the session or most of it watch the replay. */
export function attendanceOf(number: number): SeededAttendance {
	const mayReturn = Math.floor(number / 7) % 2 === 0;
	if (!comes(number)) return { ...notHeld, hasViewedReplay: mayReturn };
	const rate = 5 + ((number * 29) % 96);
	const hasStayed = rate >= 50;
	const draw = drawOf(number);
	const takesPart = hasStayed && draw % 8 < 5;
	return {
		attended: true,
		rate,
		hasViewedReplay: !hasStayed && mayReturn,
		messages: takesPart ? draw % 7 : 0,
		questions: takesPart && draw % 5 === 0 ? 1 : 0,
		votes: takesPart ? draw % 2 : 0,
		upVotes: takesPart ? draw % 4 : 0,
	};
}

/** A whole number that looks drawn at random, and is the same for a number each time. */
function drawOf(number: number): number {
	return Math.imul(number, 0x9e3779b1) >>> 16;
}
