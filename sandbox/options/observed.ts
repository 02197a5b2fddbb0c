import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Adopting a report of `npm run certify` writes this file beside the contract. */
export const observedName = 'observed.json';

const file = join(__dirname, '..', '..', 'contract', observedName);

/** How the real platform behaves as far as an adopted report of `npm run certify` saw it; undefined: nothing was adopted. */
export function observedTraits(): Readonly<Record<string, unknown>> | undefined {
	if (!existsSync(file)) return undefined;
	const { rows } = JSON.parse(readFileSync(file, 'utf8')) as {
		rows: Record<string, { traits?: Record<string, unknown> }>;
	};
	return Object.assign({}, ...Object.values(rows).map(({ traits }) => traits ?? {})) as Record<
		string,
		unknown
	>;
}
