/* One list is read, until its end or until the time is over. */
import { asFailure } from '../../client/failure';
import type { Page } from '../../client/document';
import { largestPage, readPages } from '../../client/pages';
import type { ListedEvent } from '../../events/eventTypes';
import { addAll } from '../../values/collections';
import type { JsonObject } from '../../values/json';
import type { Seconds } from '../../values/units';
import type { Round } from '../pollContext';
import { changedQuery } from '../pollRequests';
import { mostEventsInRun } from './cursor';
import type { Polled, Watch, WatchRead } from './watch';

type NewsTest = (event: ListedEvent) => boolean;

/** Reads a list that is due: all of it where the platform refuses the filter. */
export async function readList(
	round: Round,
	watch: Watch,
	read: WatchRead,
	isNews: NewsTest,
): Promise<Polled> {
	const query = changedQuery(read.sinceAt);
	const readBy = (what: WatchRead) => () => readUntilEnd(round, watch, what, isNews);
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
	read: WatchRead,
	isNews: NewsTest,
): Promise<Polled> {
	const { sinceAt, firstPage, recordsBefore = 0 } = read;
	const isPart = firstPage > 0;
	const polled: Polled = { watch, read, end: 'reached', isPart, listed: [], news: [] };
	const readAnew = () => readUntilEnd(round, watch, { ...read, firstPage: 0 }, isNews);
	let nextPage = firstPage;
	try {
		for await (const page of pagesOf(round, watch, sinceAt, firstPage)) {
			// More records have gone than the one page that is read twice makes up for, so that people may have moved to pages that were read before.
			const isMovedUp = (page.recordCount ?? Infinity) + largestPage < recordsBefore;
			if (nextPage === firstPage && isPart && isMovedUp) return await readAnew();
			polled.records = page.recordCount;
			const events = watch.eventsOf(page.records);
			addAll(polled.listed, events);
			addAll(polled.news, events.filter(isNews));
			nextPage = Math.max(nextPage, (page.number ?? 0) + 1);
			if (watch.endedAt !== undefined && polled.news.length > mostEventsInRun - largestPage)
				return { ...polled, end: { restPage: nextPage } };
		}
		// The list does not reach so far any more.
		return isPart && nextPage === firstPage ? await readAnew() : polled;
	} catch (error) {
		const failure = asFailure(error);
		if (round.limits.isTimeOver() && nextPage > firstPage)
			return { ...polled, end: { restPage: nextPage } };
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
