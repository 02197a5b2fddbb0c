import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	certify,
	clean,
	type Cleaned,
	type CleanParts,
	type RunParts,
} from '../../certify/certify';
import { clock } from '../../certify/clock';
import type { Report } from '../../certify/report';
import { createSend } from '../../certify/send';
import type { Clock } from '../../nodes/EventPlatform/core/client/clock';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import type { SandboxOptions } from '../../sandbox/options';

/** A clock that runs ahead, so that the pace of the product takes no time. */
export function clockFasterBy(factor: number): Clock {
	const startedAt = Date.now();
	return {
		now: () => startedAt + (Date.now() - startedAt) * factor,
		sleep: (ms, signal) => clock.sleep(ms / factor, signal),
	};
}

/** A sandbox in which there is a record of nearly every kind. */
export async function fullSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
	const sandbox = await sandboxForTests({
		seedPeople: 120,
		monthly: 1_000_000,
		rate: 100_000,
		taskMs: 3,
		...options,
	});
	const attributes = { url: 'https://hooks.example.org/somebody', event: 'session.ended' };
	await sandbox.api.post('/webhooks', { data: { type: 'webhooks', attributes } });
	return sandbox;
}

export function partsFor(baseUrl: string, overrides: Partial<RunParts> = {}): RunParts {
	const root = `${baseUrl}/v1`;
	return {
		root,
		token: 'sandbox-token',
		isOAuth: false,
		mailbox: 'you@example.com',
		wants: new Set(['read', 'write']),
		journals: mkdtempSync(join(tmpdir(), 'certify-')),
		send: createSend(root),
		clock: clockFasterBy(200),
		signal: new AbortController().signal,
		mayTakeMore: () => Promise.resolve(true),
		say: () => {},
		...overrides,
	};
}

export async function certified(baseUrl: string, overrides: Partial<RunParts> = {}) {
	const parts = partsFor(baseUrl, overrides);
	const outcome = await certify(parts);
	return { ...outcome, journals: readdirSync(parts.journals) };
}

export function cleaned(
	parts: RunParts,
	mayRemove: CleanParts['mayRemove'] = () => Promise.resolve(true),
): Promise<Cleaned> {
	return clean({ ...parts, send: createSend(parts.root), mayRemove });
}

export function idsOf({ rows }: Report, state: Report['rows'][number]['state']): string[] {
	return rows.filter((row) => row.state === state).map(({ id }) => id);
}
