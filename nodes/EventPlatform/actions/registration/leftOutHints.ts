export function hintsOfLeftOutTracking(names: readonly string[]): string[] {
	if (names.length === 0) return [];
	return [`Left out, because the platform refuses them: ${[...new Set(names)].join(', ')}.`];
}
