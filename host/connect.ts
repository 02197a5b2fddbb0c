import type { Editor } from './editor';

/** Connects a saved OAuth2 credential the way a person does: consent on the platform's page, then back to n8n. */
export async function connect(editor: Editor, credentialId: string): Promise<void> {
	const authorizeUrl = await editor.get<string>(`/rest/oauth2-credential/auth?id=${credentialId}`);
	const callbackUrl = await consent(editor, authorizeUrl);
	await editor.open(callbackUrl);
	// The callback page answers 200 even when the exchange failed: only the stored token proves it.
	if (!(await isConnected(editor, credentialId))) {
		throw new Error('n8n did not store a token after the consent.');
	}
}

export async function isConnected(editor: Editor, credentialId: string): Promise<boolean> {
	const { data } = await editor.get<{ data?: { oauthTokenData?: unknown } }>(
		`/rest/credentials/${credentialId}?includeData=true`,
	);
	return Boolean(data?.oauthTokenData);
}

/** Reads the platform's consent form and presses "Allow"; gives the address it sends the browser to. */
async function consent(editor: Editor, authorizeUrl: string): Promise<string> {
	const page = await editor.open(authorizeUrl);
	const html = await page.text();
	const form = /<form[^>]*>[\s\S]*?<\/form>/i.exec(html)?.[0];
	if (!form) throw new Error(`The platform showed no consent form: ${textOf(html)}`);
	const action = new URL(attribute(form, 'action') ?? '', authorizeUrl);
	const answer = await editor.open(action.href, {
		method: 'POST',
		headers: {
			cookie: page.headers
				.getSetCookie()
				.map((cookie) => cookie.split(';')[0])
				.join('; '),
			origin: action.origin,
		},
		body: new URLSearchParams(fieldsToAllow(form)),
	});
	const location = answer.headers.get('location');
	if (!location) throw new Error(`The platform did not lead back to n8n (${answer.status}).`);
	return new URL(location, action).href;
}

/** The hidden fields and the button that allows. */
function fieldsToAllow(form: string): Array<[string, string]> {
	const tags = [...form.matchAll(/<(?:input|button)[^>]*>/gi)].map(([tag]) => tag);
	return tags.flatMap((tag): Array<[string, string]> => {
		const name = attribute(tag, 'name');
		const value = attribute(tag, 'value') ?? '';
		return name === undefined || value === 'deny' ? [] : [[name, value]];
	});
}

function attribute(tag: string, name: string) {
	const value = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1];
	return value?.replace(/&(amp|quot|lt|gt|#39);/g, (_, code: string) => entities[code] ?? '');
}

const entities: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" };

function textOf(html: string) {
	return html
		.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
		.replace(/\s+/g, ' ')
		.trim()
		.slice(0, 300);
}
