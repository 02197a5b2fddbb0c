/* One list is read, until its end or until the time is over. */
import { asFailure } from '../../client/failure';
import type { Page } from '../../client/document';
import { largestPage, readPages } from '../../client/pages';
import type { ListedEvent } from '../../events/eventTypes';
import { hasAttendanceSettled } from '../../sessions/phase';
import { addAll } from '../../values/collections';
import type { JsonObject } from '../../values/json';
import { mostEventsInRun, mostListedLateSeconds, type Bookmark } from './cursor';
import { changedQuery, isWordless } from '../pollRequests';
import type { Round } from '../pollContext';
import { makeNewsTest } from './isNews';
import type { Polled, Watch, WatchRead } from './watch';
import type { Seconds } from '../../values/units';

/** Reads a list that is due: all of it where the platform refuses the filter. */
export async function readWatch(
	round: Round,
	watch: Watch,
	before: Bookmark,
	read: WatchRead,
): Promise<Polled> {
	const query = changedQuery(read.sinceAt);
	const readBy = (what: WatchRead) => () => readUntilEnd(round, watch, before, what);
	return query === undefined
		? await readBy(read)()
		: await round.refused.readOrLeaveOut(
				{ path: watch.path, query },
				readBy(read),
				readBy({ firstPage: 0 }),
			);
}

/** Reads a list until the time is over. Of attendance, which has no order, no more than one run can take. */
async function readUntilEnd(
	round: Round,
	watch: Watch,
	before: Bookmark,
	read: WatchRead,
): Promise<Polled> {
	const { sinceAt, firstPage } = read;
	const isPart = firstPage > 0;
	const polled: Polled = { watch, before, read, end: 'reached', isPart, listed: [], news: [] };
	const isNews = makeNewsTest(round, before);
	const readAnew = () => readUntilEnd(round, watch, before, { ...read, firstPage: 0 });
	let nextPage = firstPage;
	try {
		for await (const page of pagesOf(round, watch, sinceAt, firstPage)) {
			// More have gone than the page has that is read twice. Who stood behind them may stand on a page that was read before.
			const { records: recordsBefore = 0 } = before.rest ?? {};
			const isMovedUp = (page.recordCount ?? Infinity) + largestPage < recordsBefore;
			if (nextPage === firstPage && isPart && isMovedUp) return await readAnew();
			polled.records = page.recordCount;
			const events = watch.eventsOf(round, page.records);
			addAll(polled.listed, events);
			addAll(polled.news, events.filter(isNews));
			nextPage = Math.max(nextPage, (page.number ?? 0) + 1);
			if (watch.endedAt !== undefined && polled.news.length > mostEventsInRun - largestPage)
				return withAbsent(round, { ...polled, end: { restPage: nextPage } });
		}
		// The list does not reach so far any more.
		if (isPart && nextPage === firstPage) return await readAnew();
		return withAbsent(round, polled);
	} catch (error) {
		const failure = asFailure(error);
		if (failure.cause === 'not_found' || isWordless(failure))
			return withAbsent(round, { ...polled, end: 'missing' });
		if (round.limits.isTimeOver() && nextPage > firstPage)
			return withAbsent(round, { ...polled, end: { restPage: nextPage } });
		throw failure;
	}
}

async function* pagesOf(
	{ ask }: Round,
	{ path, isOneRecord }: Watch,
	sinceAt: Seconds | undefined,
	firstPage: number,
): AsyncGenerator<Pick<Page, 'records' | 'number' | 'recordCount'>> {
	if (!isOneRecord) {
		const query = changedQuery(sinceAt);
		yield* readPages(ask, path, { query, firstPage, isEmptyInWordsOnly: true });
		return;
	}
	const { body } = await ask({ method: 'GET', path });
	yield { records: [body as JsonObject] };
}

/** Nobody is absent before attendance has settled: an hour after the end, and when nobody turns out to have come any more. */
function withAbsent({ nowSeconds }: Round, polled: Polled): Polled {
	const { watch, before, read, end, news } = polled;
	const { endedAt } = watch;
	if (endedAt === undefined || before.hasToldAbsent) return polled;
	// What is first read so late needs no second look.
	const isFirstSinceEnd = before.readAt === undefined || before.readAt < endedAt;
	// Ten minutes later no list is behind any more. What its session shows may change with each registration for the replay.
	const showsAll =
		watch.shown === before.shown ||
		hasAttendanceSettled(endedAt, nowSeconds - mostListedLateSeconds);
	const isAttendanceComplete =
		isFirstSinceEnd || (showsAll && !news.some(({ attendance }) => attendance === 'came'));
	// Who is on the pages before was not told otherwise.
	const isOfAll =
		end !== 'missing' && (read.firstPage === 0 || before.rest?.hasToldAbsent === true);
	if (isAttendanceComplete && isOfAll && hasAttendanceSettled(endedAt, nowSeconds))
		return { ...polled, mayTellAbsent: true };
	const isPresent = ({ attendance }: ListedEvent) => attendance !== 'stayedAway';
	return { ...polled, listed: polled.listed.filter(isPresent), news: news.filter(isPresent) };
}
