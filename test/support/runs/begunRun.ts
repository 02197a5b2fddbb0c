import type { Clock } from '../../../nodes/EventPlatform/core/client/clock';
import type { Client } from '../../../nodes/EventPlatform/core/client/request';
import { endingAt } from '../../../nodes/EventPlatform/core/client/run';
import {
	Findings,
	type RegistrationRun,
} from '../../../nodes/EventPlatform/core/registration/registrationRun';
import type { RunOptions } from '../../../nodes/EventPlatform/core/registration/bulkRun';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';

/** A run that has just begun, and of which nothing was seen. */
export function begunRun(client: Client, clock: Clock, signal?: AbortSignal): RegistrationRun {
	const sessions = new SessionCache(client.send);
	const [apiRoot, startedAtMs] = ['/v1', clock.now()];
	return {
		client,
		apiRoot,
		clock,
		startedAtMs,
		signal,
		sessions,
		findings: new Findings(sessions, client.usage),
	};
}

export interface TimedOptions extends Partial<RunOptions> {
	maxWaitSeconds?: number;
}

/** The run with its end, where it waits for results, and the options of a usual run where nothing else is said. */
export function timedRun(
	run: RegistrationRun,
	{ maxWaitSeconds = 900, ...options }: TimedOptions = {},
): [RegistrationRun, RunOptions] {
	const usual = { needsResults: true, mayDivide: true, ...options };
	const endsAt = run.clock.now() + maxWaitSeconds * 1_000;
	return [usual.needsResults ? endingAt(run, endsAt) : run, usual];
}
