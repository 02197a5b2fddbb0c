/** Names by which a workflow means the time zone of the server. JavaScript knows none of them. */
const isOfServer = /^(?:default|local|system)$/i;

export function workflowZone(n8n: { getTimezone(): string }): string {
	const zone = n8n.getTimezone();
	return isOfServer.test(zone) ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone;
}
