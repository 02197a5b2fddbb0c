/**
 * Writes a part of a subtitle, which n8n evaluates: the name of the first of these records that was chosen from a list.
 * `$parameter` itself gives only its ID.
 */
export function chosenFromList(paths: readonly string[]): string {
	const names = paths.map(
		(path) => `(saved.${path}?.mode === "list" ? saved.${path}.cachedResultName : "")`,
	);
	return `((saved) => ${names.join(' || ')})($parameter.toJSON ? $parameter.toJSON() : {})`;
}
