import { startTestServer } from './testServer';

/** What a server in front of a sandbox makes of what passes it. */
export interface Rewriting {
	/** The path and query that the sandbox is asked for. Absent: those that came. */
	url?(url: string): string;
	/** An answer in the sandbox's place, which is not asked then. Absent, or undefined: the sandbox answers. */
	instead?(url: string): { status: number; body: object } | undefined;
	/** The text of a body that the sandbox has answered with. Absent: it stays as it is. */
	answer?(text: string, request: { method: string; url: string }): string;
}

/** Starts a server that sends on to the sandbox what it is asked, and makes another platform of its answers. */
export async function rewrittenSandbox<Access extends { baseUrl: string }>(
	sandbox: Access,
	{ url: rewriteUrl = (url) => url, instead, answer = (text) => text }: Rewriting,
): Promise<Access> {
	const { baseUrl } = await startTestServer((response, request, body) => {
		const { method = 'GET', url = '', headers } = request;
		const own = instead?.(url);
		if (own) {
			response.writeHead(own.status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(own.body));
			return;
		}
		const { authorization = '', 'content-type': type = 'application/json' } = headers;
		const sent = { method, headers: { authorization, 'content-type': type } };
		const address = `${sandbox.baseUrl}${rewriteUrl(url)}`;
		void fetch(address, { ...sent, ...(body && { body }) }).then(async (from) => {
			response.setHeader('content-type', from.headers.get('content-type') ?? 'application/json');
			response.statusCode = from.status;
			response.end(answer(await from.text(), { method, url }));
		});
	});
	return { ...sandbox, baseUrl };
}
