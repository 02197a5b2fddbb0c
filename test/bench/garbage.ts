import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** What nothing refers to any more is gone afterwards; what a `WeakRef` looked at, only in the next turn of the event loop. */
export const collectGarbage = runInNewContext('gc') as () => void;
