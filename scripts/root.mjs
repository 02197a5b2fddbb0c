import { fileURLToPath } from 'node:url';

/** The top of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));
