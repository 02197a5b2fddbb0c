import { startSlowLine } from './slowLine';

/** A process of its own, so that what it measures does not slow it down. Prints where it listens. */
void startSlowLine(process.argv[2] ?? '').then(({ baseUrl }) => console.log(baseUrl));
