/** A locator by ID, or by another of its modes. */
export function byId(value = '={{ $json.id }}', mode = 'id') {
	return { __rl: true, mode, value };
}
