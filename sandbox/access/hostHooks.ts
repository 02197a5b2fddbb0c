import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxOptions } from '../options';
import { Refusal } from '../refusal';
import { isOwnPath } from './ownPath';

/**
 * A site that a person has open in the browser must not reach the sandbox. A foreign name in the Host
 * header means DNS rebinding: the site pointed its own name at this machine. So every path refuses all
 * names but 127.0.0.1, localhost, ::1, the address that it listens on, and those of --allow-hosts. When
 * it listens on every address, any address will do: a name can be pointed elsewhere, an address cannot.
 *
 * The page and the control paths need no token. There, an Origin that is not ours is refused as well.
 */
export function addHostHooks(app: FastifyInstance, options: SandboxOptions): void {
	const names = namesOf(options);
	app.addHook('onRequest', (request, _reply, done) => {
		const name = hostname(request.headers.host ?? '');
		if (!names.has(name) && !(isWildcard(options.host) && isIP(name) !== 0)) {
			throw new Refusal(403, 'Reach the sandbox by its address or as localhost.');
		}
		if (isOwnPath(request) && isFromAnotherSite(request)) {
			throw new Refusal(403, 'Other sites have no access to the sandbox.');
		}
		done();
	});
}

function namesOf({ host, allowHosts }: SandboxOptions): Set<string> {
	const more = allowHosts.split(',').map((name) => name.trim());
	const names = ['127.0.0.1', 'localhost', '::1', host, ...more].filter(Boolean);
	return new Set(names.map((name) => name.toLowerCase()));
}

/** Listening on every address of the machine. */
function isWildcard(host: string): boolean {
	return host === '0.0.0.0' || host === '::';
}

function hostname(host: string): string {
	return host
		.replace(/:\d+$/, '')
		.replace(/^\[|\]$/g, '')
		.toLowerCase();
}

function isFromAnotherSite({ method, headers }: FastifyRequest): boolean {
	const { host = '', origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
	const linkFollowed = method === 'GET' && mode === 'navigate';
	return (
		(origin !== undefined && origin !== `http://${host}`) ||
		(site === 'cross-site' && !linkFollowed)
	);
}
