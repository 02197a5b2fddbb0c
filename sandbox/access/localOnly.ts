import { isIP } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import { Refusal } from '../refusal';

/**
 * Guards the control paths and the page, which need no token: a site that a person has open in the
 * browser must neither read nor change anything here. Use it as an onRequest hook.
 *
 * A name in the Host header that is not this machine's means DNS rebinding: addresses cannot be
 * rebound, names can. An Origin that is not ours means a request from another site.
 */
export function createLocalOnly(listenHost: string): onRequestHookHandler {
	return (request, _reply, done) => {
		const host = request.headers.host ?? '';
		if (!isOurs(hostname(host), listenHost)) {
			throw new Refusal(403, 'Reach the sandbox by its address or as localhost.');
		}
		const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers;
		const foreignOrigin = origin !== undefined && origin !== `http://${host}`;
		const linkFollowed = request.method === 'GET' && mode === 'navigate';
		if (foreignOrigin || (site === 'cross-site' && !linkFollowed)) {
			throw new Refusal(403, 'Other sites have no access to the sandbox.');
		}
		done();
	};
}

function hostname(host: string): string {
	return host
		.replace(/:\d+$/, '')
		.replace(/^\[|\]$/g, '')
		.toLowerCase();
}

function isOurs(name: string, listenHost: string): boolean {
	return name === 'localhost' || name === listenHost.toLowerCase() || isIP(name) !== 0;
}
