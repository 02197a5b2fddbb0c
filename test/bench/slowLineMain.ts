import { startSlowLine } from './slowLine';

/** A process of its own, so that what it measures does not slow it down. Prints where it listens. */
const [, , target = '', failingShare = '0'] = process.argv;
void startSlowLine(target, Number(failingShare)).then(({ baseUrl }) => console.log(baseUrl));
