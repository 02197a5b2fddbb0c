import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createTokens } from '../oauth/tokens';
import type { Platform } from '../platform';
import { Refusal } from '../refusal';
import { authenticate } from './authenticate';
import type { Caller } from './caller';
import { createQuota } from './quota';
import {
	createRateLimit,
	limiters,
	type Allowance,
	type Limiter,
	type RateLimit,
} from './rateLimit';
import { covers } from '../oauth/scope';

/** Authentication, then rate limit and quota, then scope: in the order in which a request is refused. */
export function addAccessHooks(app: FastifyInstance, platform: Platform): void {
	const tokens = createTokens(platform);
	const limit = createLimits(platform);

	if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller', null);
	app.addHook('onRequest', (request, reply, done) => {
		if (isApiPath(request)) {
			const caller = authenticate(tokens, request.headers.authorization, platform.now());
			if (typeof caller === 'string') {
				void reply.header('WWW-Authenticate', 'Bearer realm="event platform"');
				throw new Refusal(401, caller);
			}
			request.caller = caller;
			limit(caller, reply);
			if (platform.workspace.blocked) {
				throw new Refusal(403, 'The workspace is blocked. Ask its owner to unblock API access.');
			}
			requireScope(request, caller);
		}
		done();
	});
}

/** By the route where there is one: an address may spell /v1 in many ways that lead to the same route. */
function isApiPath({ routeOptions, url }: FastifyRequest): boolean {
	return /^\/v1(?:[/?]|$)/.test(routeOptions.url ?? url);
}

function requireScope(request: FastifyRequest, caller: Caller): void {
	const { scopes = [], oauthOnly } = request.routeOptions.config;
	if (oauthOnly && caller.kind !== 'access_token') {
		throw new Refusal(
			403,
			'Only an OAuth access token has a user behind it: an API token has none.',
		);
	}
	if (scopes.length > 0 && !scopes.some((scope) => covers(caller.scopes, scope))) {
		const needed = scopes.join(' or ');
		throw new Refusal(403, `The access token lacks the scope ${needed}.`, 'missing_scope');
	}
}

function createLimits(platform: Platform): (caller: Caller, reply: FastifyReply) => void {
	const { options } = platform;
	const { rate, monthly } = options;
	const perSecond = Object.fromEntries(
		limiters.map((limiter) => [limiter, createRateLimit(rate, limiter)]),
	) as Record<Limiter, RateLimit>;
	const perMonth = monthly > 0 ? createQuota(platform, monthly) : undefined;
	platform.onReset(() => {
		for (const limiter of limiters) perSecond[limiter].reset();
		perMonth?.reset();
	});

	return (caller, reply) => {
		const now = platform.now();
		const month = perMonth?.look(caller.quotaKey, now);
		if (month) {
			void reply.header('RateLimit-Monthly-Limit', monthly);
			void reply.header('RateLimit-Monthly-Remaining', month.remaining);
			if (!month.allowed) {
				throw tooMany(reply, now, month, `All ${monthly} requests of these 30 days are used up`);
			}
		}
		const second = rate > 0 && perSecond[options.limiter].take(caller.tokenKey, now);
		if (second) {
			void reply.header('RateLimit-Interval-Limit', rate);
			void reply.header('RateLimit-Interval-Remaining', second.remaining);
			void reply.header('RateLimit-Reset', Math.ceil(second.resetAt / 1000));
			if (!second.allowed) {
				throw tooMany(reply, now, second, `More than ${rate} requests in a second`);
			}
		}
		if (month) {
			perMonth?.take(caller.quotaKey);
			void reply.header('RateLimit-Monthly-Remaining', month.remaining - 1);
		}
	};
}

function tooMany(reply: FastifyReply, now: number, { resetAt }: Allowance, why: string): Refusal {
	const seconds = Math.max(1, Math.ceil((resetAt - now) / 1000));
	void reply.header('Retry-After', seconds);
	void reply.header('RateLimit-Reset', Math.ceil(resetAt / 1000));
	return new Refusal(429, `${why}. Try again in ${seconds} s.`);
}
