/** Says which values of where people come from the platform did not take. */
export function hintsOfLeftOutTracking(names: readonly string[]): string[] {
	if (names.length === 0) return [];
	return [`Left out, because the platform refuses them: ${[...new Set(names)].join(', ')}.`];
}
