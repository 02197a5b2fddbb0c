import type { Readable } from 'node:stream';
import axios from 'axios';

const timeoutMs = 10_000;

/** The status that the receiver answered, or why there was no answer. */
export type Outcome = { status: number; error: null } | { status: null; error: string };

/** One attempt. It follows no redirect and reads no more of the answer than its status. */
export async function post(
	url: string,
	body: string,
	mediaType: string,
	headers: Record<string, string>,
	signal: AbortSignal,
): Promise<Outcome> {
	try {
		const { status, data } = await axios.post<Readable>(url, body, {
			headers: {
				'Content-Type': mediaType,
				'User-Agent': 'event-platform-sandbox',
				...headers,
			},
			timeout: timeoutMs,
			signal,
			maxRedirects: 0,
			proxy: false,
			responseType: 'stream',
			transformRequest: (text: string) => text,
			validateStatus: () => true,
		});
		data.destroy();
		return { status, error: null };
	} catch (error) {
		// The code names what went wrong; a message could repeat the URL.
		const code = axios.isAxiosError(error) ? error.code : undefined;
		return { status: null, error: code ?? 'ERR_UNKNOWN' };
	}
}
