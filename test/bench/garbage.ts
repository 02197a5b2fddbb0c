import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/**
 * Collects the objects that nothing refers to any more. They are gone afterwards, but an object that a `WeakRef` looked at
 * is gone only in the next turn of the event loop.
 */
export const collectGarbage = runInNewContext('gc') as () => void;
