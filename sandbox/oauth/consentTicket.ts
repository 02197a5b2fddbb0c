import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const cookieName = 'sandbox_consent';

/**
 * Ties a decision to the page it was made on: the cookie says which browser, the hidden field which
 * request. Another site can send the form, but it knows neither.
 */
export function createConsentTickets() {
	const key = randomBytes(32);
	const sign = (browser: string, query: string) =>
		createHmac('sha256', key).update(`${browser}\n${query}`).digest();

	return {
		issue(request: FastifyRequest, reply: FastifyReply, query: string): string {
			const browser = readCookie(request) ?? randomBytes(24).toString('base64url');
			const attributes = 'Path=/oauth; HttpOnly; SameSite=Strict; Max-Age=3600';
			void reply.header('Set-Cookie', `${cookieName}=${browser}; ${attributes}`);
			return sign(browser, query).toString('base64url');
		},

		isValid(request: FastifyRequest, query: string, ticket: string): boolean {
			const browser = readCookie(request);
			if (!browser) return false;
			const expected = sign(browser, query);
			const given = Buffer.from(ticket, 'base64url');
			return given.length === expected.length && timingSafeEqual(given, expected);
		},
	};
}

function readCookie(request: FastifyRequest): string | undefined {
	const cookies = (request.headers.cookie ?? '').split(/; */);
	const found = cookies.find((cookie) => cookie.startsWith(`${cookieName}=`));
	const value = found?.slice(cookieName.length + 1) ?? '';
	return /^[\w-]{32}$/.test(value) ? value : undefined;
}
