import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { scopeNames, type ScopeName } from './scope';
import { clientName } from './client';
import { html, Markup } from './html';

const inWords: Record<ScopeName, string> = {
	'full:read': 'See everything in your workspace',
	'full:write': 'See and change everything in your workspace',
	'identity:read': 'See your profile and your organization',
	'identity:write': 'See and change your profile and your organization',
	'events:read': 'See events, sessions and the people registered for them',
	'events:write': 'See and change events and sessions, register and unregister people',
	'admin:read': 'See the users of your organization',
	'admin:write': 'See, invite and remove users of your organization',
	'webhooks:read': 'See which other services are notified of what happens',
	'webhooks:write': 'Have other services notified of what happens, and stop that',
};

const style = `
:root { color-scheme: light dark; --ground: #f3f4f7; --card: #fff; --ink: #1c2130; --soft: #5a6274;
	--line: #dfe2ea; --accent: #3450d4; --on-accent: #fff; --code: #eef0f5; }
@media (prefers-color-scheme: dark) { :root { --ground: #12151c; --card: #1b202b; --ink: #eef0f6;
	--soft: #a3abbd; --line: #323948; --accent: #8ea2ff; --on-accent: #10142b; --code: #272d3b; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px;
	background: var(--ground); color: var(--ink);
	font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 440px; padding: 32px; background: var(--card);
	border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 8px 30px rgb(20 25 45 / 8%); }
.mark { display: block; width: 48px; height: 48px; margin-bottom: 20px; color: var(--accent); }
h1 { margin: 0 0 8px; font-size: 22px; line-height: 1.3; letter-spacing: -0.01em; text-wrap: balance; }
p { margin: 0 0 16px; color: var(--soft); }
ul { list-style: none; margin: 0 0 24px; padding: 0; border-top: 1px solid var(--line); }
li { display: grid; gap: 4px; padding: 12px 0; border-bottom: 1px solid var(--line); }
code { justify-self: start; padding: 1px 6px; border-radius: 5px; background: var(--code);
	color: var(--soft); font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, monospace;
	overflow-wrap: anywhere; }
.choice { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
button { min-height: 46px; padding: 0 16px; border: 1px solid var(--line); border-radius: 9px;
	background: transparent; color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
button.allow { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button:hover { filter: brightness(1.06); }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.small { margin: 20px 0 0; font-size: 14px; }
.small code { font-size: 12.5px; }
`;

const mark = html`<svg class="mark" viewBox="0 0 48 48" fill="none" aria-hidden="true">
	<rect x="1.5" y="1.5" width="45" height="45" rx="11" stroke="currentColor" stroke-width="2" />
	<path
		d="M15 17h18v14H15zM15 22h18M20 13.5v5M28 13.5v5"
		stroke="currentColor"
		stroke-width="2"
		stroke-linecap="round"
		stroke-linejoin="round"
	/>
</svg>`;

// It is in one piece, because the hash that the policy allows is of every character between the tags.
const styleElement = new Markup(`<style>${style}</style>`);
const styleHash = createHash('sha256').update(style).digest('base64');

function page(title: string, content: Markup): string {
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${title}</title>
				${styleElement}
			</head>
			<body>
				<main>${mark} ${content}</main>
			</body>
		</html> `.text;
}

interface Consent {
	scopes: readonly string[];
	redirectUri: string;
	/** Where the decision goes: the same address with the same parameters. */
	action: string;
}

export function consentPage({ scopes, redirectUri, action }: Consent): string {
	const asked = scopeNames.filter((name) => scopes.includes(name));
	return page(
		`${clientName} asks for access`,
		html`<h1>${clientName} asks for access to your workspace</h1>
			<p>If you allow it, the app can:</p>
			<ul>
				${asked.map((name) => html`<li>${inWords[name]}<code>${name}</code></li> `)}
			</ul>
			<form method="post" action="${action}">
				<div class="choice">
					<button type="submit" name="decision" value="deny">Deny</button>
					<button type="submit" name="decision" value="allow" class="allow">Allow</button>
				</div>
			</form>
			<p class="small">
				Either way you return to <code>${new URL(redirectUri).host}</code>. This is a sandbox: no
				real account is touched.
			</p>`,
	);
}

export function problemPage(problem: string): string {
	return page(
		'This app cannot be connected',
		html`<h1>This app cannot be connected</h1>
			<p>${problem}</p>
			<p class="small">
				Nothing was shared. Tell the people who make the app what you read here.
			</p>`,
	);
}

/** No other site may show these pages in a frame, and nothing in them may load or run anything. */
export function sendPage(
	reply: FastifyReply,
	status: number,
	text: string,
	formTarget = "'none'",
): FastifyReply {
	return reply
		.code(status)
		.type('text/html; charset=utf-8')
		.headers({
			'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formTarget}; frame-ancestors 'none'; base-uri 'none'`,
			'X-Frame-Options': 'DENY',
			'X-Content-Type-Options': 'nosniff',
			// The address holds the state. The form still says where it comes from.
			'Referrer-Policy': 'same-origin',
			'Cache-Control': 'no-store',
		})
		.send(text);
}
