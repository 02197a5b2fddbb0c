/* Writes the name of a parameter in each of its forms: "waitForCompletion", "wait_for_completion", "Wait for Completion". */

export function snakeCase(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const acronyms = new Set(['api', 'html', 'id', 'ip', 'os', 'url', 'utm']);

export function titleCase(name: string): string {
	return name
		.split(/[\s_-]+/)
		.map((word) =>
			acronyms.has(word) ? word.toUpperCase() : word.slice(0, 1).toUpperCase() + word.slice(1),
		)
		.join(' ');
}

export const titleOf = (name: string): string =>
	titleCase(snakeCase(name)).replace(/ (?:For|In|On|Per) /g, (word) => word.toLowerCase());
