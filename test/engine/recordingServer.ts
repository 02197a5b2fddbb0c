import type { IncomingHttpHeaders } from 'node:http';
import { anyServer } from '../support/anyServer';

export interface Recorded {
	method: string;
	/** As it came, with the query. */
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** A platform that has everything, allows everything, and keeps what it was asked. */
export async function recordingServer() {
	const recorded: Recorded[] = [];
	let sentTogether = 0;
	const { baseUrl } = await anyServer((response, { method = '', url = '', headers }, body) => {
		recorded.push({ method, url, headers, body });
		response.writeHead(200, {
			'content-type': 'application/json',
			// Far more than anybody asks, so that nobody waits.
			'ratelimit-interval-limit': '5000',
			'ratelimit-interval-remaining': '4999',
		});
		if (url.includes('/people/bulk')) sentTogether = tasksIn(body);
		response.end(JSON.stringify(answerTo(url, sentTogether)));
	});
	return { baseUrl, recorded };
}

function answerTo(url: string, tasks: number): object {
	if (/\/jobs\/[^/?]*$/.test(url)) return { id: 'j1', status: 'ended', total_items: tasks };
	if (url.includes('/people/bulk')) return { id: 'j1', status: 'processing' };
	// Results that are missing would be waited for.
	if (/\/jobs\/[^/?]*\/tasks/.test(url)) {
		const data = Array.from({ length: tasks }, () => ({ status: 'succeeded', data: null }));
		return { data, meta: { current_page: 0, next_page: null } };
	}
	if (url.includes('?page')) return { data: [], meta: { current_page: 0, next_page: null } };
	return { data: { id: '1', type: 'things', attributes: { status: 'ended' } } };
}

function tasksIn(body: string): number {
	const { data } = JSON.parse(body) as { data: { attributes: { tasks: unknown[] } } };
	return data.attributes.tasks.length;
}
