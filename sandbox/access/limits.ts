import type { FastifyReply } from 'fastify';
import type { SandboxOptions } from '../options';
import type { Platform } from '../platform';
import { Refusal } from '../refusal';
import type { Caller } from './caller';
import { createQuota } from './quota';
import {
	type Allowance,
	type Limiter,
	type RateLimit,
	createRateLimit,
	limiters,
} from './rateLimit';

/** Where the month is said to be spent: how long it lasts still, and of how many where it has no limit. */
const spentMs = 12 * 86_400_000;
const used = 10_000;

const unitsPerMs = { seconds: 1e-3, milliseconds: 1 } as const;

/** Counts a request for its second and its month, and says what is left; or refuses it with a 429. */
export function createLimits(platform: Platform): (caller: Caller, reply: FastifyReply) => void {
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

	function tell(reply: FastifyReply, name: string, value: string | number): void {
		if (options.limitHeaders) void reply.header(`RateLimit-${name}`, value);
	}

	function tellReset(reply: FastifyReply, allowance: Allowance): void {
		tell(reply, 'Reset', resetText(options, allowance));
	}

	function tooMany(reply: FastifyReply, now: number, until: Allowance, why: string): Refusal {
		const seconds = Math.max(1, Math.ceil((until.resetAt - now) / 1000));
		void reply.header('Retry-After', seconds);
		tellReset(reply, until);
		return new Refusal(429, `${why}. Try again in ${seconds} s.`);
	}

	return (caller, reply) => {
		const now = platform.now();
		const month = platform.workspace.monthSpent
			? { allowed: false, remaining: 0, resetAt: now + spentMs }
			: perMonth?.look(caller.quotaKey, now);
		if (month) {
			tell(reply, 'Monthly-Limit', monthly || used);
			tell(reply, 'Monthly-Remaining', month.remaining);
			if (!month.allowed) {
				throw tooMany(
					reply,
					now,
					month,
					`All ${monthly || used} requests of these 30 days are used up`,
				);
			}
		}
		const second = rate > 0 && perSecond[options.limiter].take(caller.tokenKey, now);
		if (second) {
			tell(reply, 'Interval-Limit', rate);
			tell(reply, 'Interval-Remaining', second.remaining);
			tellReset(reply, second);
			if (!second.allowed) {
				throw tooMany(reply, now, second, `More than ${rate} requests in a second`);
			}
		}
		if (month) {
			perMonth?.take(caller.quotaKey);
			tell(reply, 'Monthly-Remaining', month.remaining - 1);
		}
	};
}

/** When the limit begins anew, in the unit of this platform. */
function resetText({ clockAheadMs, resetUnit }: SandboxOptions, { resetAt }: Allowance): string {
	return String(Math.ceil((resetAt + clockAheadMs) * unitsPerMs[resetUnit]));
}
