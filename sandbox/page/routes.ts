import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Platform } from '../platform';
import { ownFile, ownFilesIn } from '../ownFiles';
import { apiToken } from '../access/authenticate';
import { clientId, clientSecret } from '../oauth/client';
import { html, type Markup } from '../oauth/html';
import { addCockpitRoutes, cockpitMarkup } from './cockpit';
import { peopleOf, viewOf } from './view';

const folder = 'sandbox/page/public';

const types: Readonly<Record<string, string>> = {
	html: 'text/html; charset=utf-8',
	css: 'text/css; charset=utf-8',
	js: 'text/javascript; charset=utf-8',
	svg: 'image/svg+xml',
};

const policy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self'",
	"connect-src 'self'",
	"form-action 'none'",
	"frame-ancestors 'none'",
	"base-uri 'none'",
].join('; ');

/** The page for people: a few files of our own, and the figures that they ask for every second. */
export function addPageRoutes(app: FastifyInstance, platform: Platform): void {
	const files = new Map(
		ownFilesIn(folder).map((name) => [name, ownFile(`${folder}/${name}`).toString()]),
	);
	const send = (reply: FastifyReply, name: string, text = files.get(name)) =>
		reply
			.type(types[name.replace(/^.*\./, '')] ?? 'text/plain')
			.headers({
				'Content-Security-Policy': policy,
				'X-Frame-Options': 'DENY',
				'X-Content-Type-Options': 'nosniff',
				'Referrer-Policy': 'no-referrer',
				'Cache-Control': 'no-cache',
			})
			.send(text);

	app.get('/', ({ headers }, reply) => {
		const access = accessMarkup(platform, `http://${headers.host}`);
		const page = files
			.get('index.html')
			?.replace('<!-- access -->', () => access.text)
			.replace('<!-- cockpit -->', () => cockpitMarkup().text);
		return send(reply, 'index.html', page);
	});
	for (const name of files.keys()) {
		app.get(`/page/${name}`, (_request, reply) => send(reply, name));
	}

	addCockpitRoutes(app, platform);
	app.get<{ Querystring: Record<string, unknown> }>('/_sandbox/page', (request) =>
		viewOf(platform, pageNumber(request.query['events'])),
	);
	app.get<{ Params: { id: string }; Querystring: Record<string, unknown> }>(
		'/_sandbox/page/sessions/:id/people',
		(request) => peopleOf(platform, request.params.id, pageNumber(request.query['page'])),
	);
}

/** Reads a page number. Any other text means the first page, and a number that is too large means the last. */
function pageNumber(text: unknown): number {
	const number = Number(text);
	return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

/** The credentials are those of the sandbox and open nothing else, so they stand there in full. */
function accessMarkup({ options }: Platform, root: string): Markup {
	const rows = {
		'API root': root,
		'API token': apiToken,
		'Authorization server': root,
		'Client ID': clientId,
		'Client secret': clientSecret,
		'Scopes of the app': options.scope,
		'Redirect URL of the app': options.redirectUri,
	};
	return html`${Object.entries(rows).map(
		([name, value]) =>
			html`<div>
				<dt>${name}</dt>
				<dd>${value}</dd>
				<dd class="copy">
					<button type="button" data-copy="${value}" aria-label="Copy: ${name}">Copy</button>
				</dd>
			</div>`,
	)}`;
}
