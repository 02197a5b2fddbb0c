import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as nextTurn } from 'node:timers/promises';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What nothing refers to any more is gone afterwards. */
export async function collectGarbage(): Promise<void> {
	// What was looked at in this turn of the event loop is kept until its end.
	await nextTurn();
	collect();
}
