import { Persistence } from '../client/patience';
import { ageOf, RecentTimes } from '../values/recentTimes';
import { dayMs, minuteMs, type Ms } from '../values/units';

/**
 * No more lookups than this may fail in a day to prove a delivery genuine, as many for deliveries that have our key, and as many reads may
 * fail to show a session. What is invented fails with its first request, so that in 30 days each of these is 7,200 of the base plan's 10,000
 * requests. A real job whose results are late costs several at a time: to confirm it, for the pages of its results, and for names. What
 * succeeds is not limited in a day: a job starts its run, and a session is read again when its facts are old (`factsMemory.ts`). An endless
 * flood from somebody without the key spends the first of these budgets only: the session of a delivery is read when the delivery is believed.
 */
const mostUnprovenPerDay = 240;

/**
 * In an outage, such as that of a token that is revoked, one lookup a minute tells when the platform answers again. Once as many have proved
 * nothing in a day as this, it is one in five minutes, so that 240 last for 14 hours. The platform makes its fifth attempt, the
 * first that would be accepted unjudged, six minutes after the fourth: longer than the pause, so that the fifth is looked up if no lookup for
 * another delivery has failed meanwhile.
 */
const mostUnprovenBeforePause = 80;
const pauseMs = 5 * minuteMs;

/** What a lookup shows of a delivery. Unproven: not that the platform has sent it. Unclear: the platform did not say, or not all that is needed. */
export type LookupResult = 'proven' | 'unproven' | 'unclear';

/** Decides whether one more delivery may cost a request: there is a limit for a minute, and for a day one of those that prove nothing. */
export class LookupBudget {
	private readonly lookupsInMinute = new RecentTimes(minuteMs);
	private readonly unprovenInDay = new RecentTimes(dayMs);
	private underWayCount = 0;
	/** Lookups in a row that were unclear. */
	private readonly unclear = new Persistence('lookups');

	constructor(private readonly now: () => Ms) {}

	/** Makes a lookup and gives what it shows; undefined where the budget is used up, so that the platform has to deliver again. */
	async lookUp<Shown>(
		perMinute: number,
		ask: () => Promise<Shown>,
		resultOf: (shown: Shown) => LookupResult = () => 'proven',
	): Promise<Shown | undefined> {
		if (!this.maySpend(perMinute)) return undefined;
		const sentAt = this.now();
		this.lookupsInMinute.add(sentAt);
		this.underWayCount += 1;
		// A lookup that fails shows nothing of the delivery.
		let result: LookupResult = 'unclear';
		try {
			const shown = await ask();
			result = resultOf(shown);
			return shown;
		} finally {
			this.underWayCount -= 1;
			if (result === 'unclear') this.unclear.failed(this.now(), { sentAt });
			else this.unclear.succeeded();
			if (result !== 'proven') this.unprovenInDay.add(this.now());
		}
	}

	private maySpend(perMinute: number): boolean {
		const nowMs = this.now();
		const unproven = this.unprovenInDay.countAt(nowMs) + this.underWayCount;
		const { isGivenUp, failedAt } = this.unclear;
		const needsPause = isGivenUp && unproven >= mostUnprovenBeforePause;
		if (needsPause && ageOf(failedAt, nowMs) < pauseMs) return false;
		const mostInMinute = isGivenUp ? 1 : perMinute;
		return unproven < mostUnprovenPerDay && this.lookupsInMinute.countAt(nowMs) < mostInMinute;
	}
}
