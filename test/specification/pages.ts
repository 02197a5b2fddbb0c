import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of the docs, with each run of white space as one blank. */
export function page(name: string): string {
	return readFileSync(join(__dirname, '../../docs', name), 'utf8').replace(/\s+/g, ' ');
}
