import type { JobState } from '../../../nodes/EventPlatform/core/dialect/jobs';
import { planRun, type Plan } from '../../../nodes/EventPlatform/core/registration/bulkPlan';
import { emailAndAddressOf, type Row } from '../../../nodes/EventPlatform/core/people/registration';
import type { RunOutcome } from '../../../nodes/EventPlatform/core/registration/runOutcome';
import type { Findings } from '../../../nodes/EventPlatform/core/registration/registrationRun';
import { runBulk } from '../../../nodes/EventPlatform/core/registration/bulkRun';
import { RequestQueue } from '../../../nodes/EventPlatform/core/client/requestQueue';
import { createClient } from '../../../nodes/EventPlatform/core/client/client';
import { PlatformModel, type Registration } from '../platform/platformModel';
import type { ModelOptions } from '../platform/platformOptions';
import { VirtualClock } from '../time/virtualClock';
import { begunRun, timedRun, type TimedOptions } from './begunRun';
import { createDraws } from '../../../sandbox/world/draws';

/** A run that is over, and what it was made of. */
export interface Simulated {
	plan: Plan;
	report: RunOutcome;
	platform: PlatformModel;
	findings: Findings;
	/** How long the run took by the virtual clock. */
	durationMs: number;
}

export interface Circumstances {
	platform?: Partial<ModelOptions>;
	run?: TimedOptions;
	/** Registered before the run. */
	before?: ReadonlyArray<{ sessionId: string; email: string; registration?: Registration }>;
	cancelAfterMs?: number;
	/** The requests per second of the credential. */
	cap?: number;
	log?: (message: string) => void;
	onAnswer?: () => void;
}

/** Simulates a run, and keeps nothing of the plan and the platform when the run is over. */
export async function simulateRun(
	rows: readonly Row[],
	circumstances: Circumstances,
): Promise<Pick<Simulated, 'report' | 'durationMs'>> {
	const { report, durationMs } = await simulate(rows, circumstances);
	return { report, durationMs };
}

/** The engine with the pace and repetition of the product, against the model, under virtual time. */
export async function simulate(
	rows: readonly Row[],
	{ run, ...circumstances }: Circumstances = {},
): Promise<Simulated> {
	const { clock, platform, parts } = modelScene(circumstances);
	const plan = planRun(rows);
	const start = clock.now();
	const report = await clock.run(runBulk(plan, ...timedRun(parts, run)));
	const durationMs = clock.now() - start;
	return { plan, report, platform, findings: parts.findings, durationMs };
}

/** The model, and what a run needs to work with it. */
export function modelScene(
	{ platform: options, before = [], cancelAfterMs, cap, log, onAnswer }: Circumstances = {},
	clock = new VirtualClock(),
	platform = new PlatformModel(clock, options),
) {
	for (const { sessionId, email, registration } of before) {
		platform.addPerson(sessionId, email, registration);
	}
	const cancel = new AbortController();
	const { signal } = cancel;
	if (cancelAfterMs !== undefined) clock.later(cancelAfterMs, () => cancel.abort());
	const queue = new RequestQueue(clock, createDraws(platform.options.seed + 2));
	queue.setCap(cap);
	const client = createClient({
		async send(request) {
			const answer = await platform.send(request);
			onAnswer?.();
			return answer;
		},
		clock,
		queue,
		signal,
		random: createDraws(platform.options.seed + 1),
	});
	return { clock, platform, parts: { ...begunRun(client, clock, signal), log } };
}

export function rowFor(sessionId: string, email: string, extra: string[] = []): Row {
	const fields = [{ id: 'email', value: email }, ...extra.map((id) => ({ id, value: 'x' }))];
	return {
		sessionId,
		...emailAndAddressOf(email),
		registration: { fields, tracking: {} },
		problems: [],
	};
}

export function someRows(count: number, sessionId = 'session'): Row[] {
	return Array.from({ length: count }, (_, index) => rowFor(sessionId, `p${index}@example.com`));
}

/** A job that the platform has just accepted. */
export function acceptedJob(id: string): JobState {
	return { id, status: 'processing', isFinal: false };
}
