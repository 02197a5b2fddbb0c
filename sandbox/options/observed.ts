import { readOwnFile } from '../ownFiles';

/** Adopting a report of `npm run certify` writes this file beside the contract. */
export const observedName = 'observed.json';

/** How the real platform behaves as far as an adopted report of `npm run certify` saw it; undefined: nothing was adopted. */
export function observedTraits(): Readonly<Record<string, unknown>> | undefined {
	const report = readOwnFile(`contract/${observedName}`);
	if (report === undefined) return undefined;
	const { rows } = JSON.parse(report.toString()) as {
		rows: Record<string, { traits?: Record<string, unknown> }>;
	};
	return Object.assign({}, ...Object.values(rows).map(({ traits }) => traits ?? {})) as Record<
		string,
		unknown
	>;
}
