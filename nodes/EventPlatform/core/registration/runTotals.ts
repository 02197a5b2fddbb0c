import { collectingView, type CollectingView } from '../records/recordView';
import { createMeter, type Meter } from './meter';
import type { RunParts } from './runParts';

/** The totals that add up in the course of a run. Sync has its own, and hands it to the bulk run that is a part of it. */
export interface RunTotals {
	/** The meter that counts the requests, and ends them when the time is over. */
	readonly meter: Meter;
	/** The view that decides which part of people's records is kept, and collects all columns that they had. */
	readonly view: CollectingView;
}

/** Begins the totals of a run. `maxSeconds`: the longest time for the run; absent where nobody waits for its end. */
export function beginTotals(
	parts: Pick<RunParts, 'api' | 'clock' | 'view'>,
	maxSeconds?: number,
): RunTotals {
	return { meter: createMeter(parts, maxSeconds), view: collectingView(parts.view) };
}
