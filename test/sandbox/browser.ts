import axios from 'axios';

export interface Page {
	status: number;
	html: string;
	headers: Record<string, unknown>;
	/** What the user can press on the page, with the form it stands in. */
	form?: { action: URL; hidden: Record<string, string>; decisions: string[]; cookie: string };
}

const text = axios.create({ validateStatus: null, maxRedirects: 0, responseType: 'text' });

/** What a browser does with an address: shows the page, or follows to where it is sent. */
export async function visit(url: string | URL): Promise<Page & { sentTo?: URL }> {
	const answer = await text.get<string>(String(url), { headers: { accept: 'text/html' } });
	const { status, data: html, headers } = answer;
	const location: unknown = headers['location'];
	return {
		status,
		html,
		headers: { ...headers },
		...(typeof location === 'string' ? { sentTo: new URL(location, String(url)) } : {}),
		form: formOf(html, new URL(url), headers['set-cookie'] ?? []),
	};
}

/** Presses a button of the page and tells where the browser is sent. */
export async function press(
	page: Page,
	decision: string,
): Promise<{ status: number; sentTo?: URL }> {
	if (!page.form) throw new Error(`The page has no form: ${page.html.slice(0, 500)}`);
	const { action, hidden, cookie } = page.form;
	const { status, headers } = await text.post(
		String(action),
		new URLSearchParams({ ...hidden, decision }),
		{ headers: { cookie, origin: action.origin } },
	);
	const location: unknown = headers['location'];
	return { status, ...(typeof location === 'string' ? { sentTo: new URL(location) } : {}) };
}

function formOf(html: string, base: URL, cookies: string[]): Page['form'] {
	const form = /<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(html);
	if (!form) return undefined;
	const [, action = '', inside = ''] = form;
	const inputs = inside.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g);
	const buttons = inside.matchAll(/<button[^>]*name="decision"[^>]*value="([^"]*)"/g);
	return {
		action: new URL(plain(action), base),
		hidden: Object.fromEntries(
			[...inputs].map(([, name = '', value = '']) => [name, plain(value)]),
		),
		decisions: [...buttons].map(([, value = '']) => value),
		cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; '),
	};
}

function plain(markup: string): string {
	return markup
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');
}
