import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/runOutcome';
import type {
	ApiRequest,
	ApiResponse,
	Ask,
	Client,
} from '../../../nodes/EventPlatform/core/client/request';
import type { Usage } from '../../../nodes/EventPlatform/core/client/usage';
import { clockAheadMs, leastAheadMs } from '../../../nodes/EventPlatform/core/dialect/clockAhead';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';
import { runSync, type SyncOptions } from '../../../nodes/EventPlatform/core/sync/syncRun';
import { begunRun } from '../../support/runs/begunRun';
import type { PlatformModel } from '../../support/platform/platformModel';
import type { VirtualClock } from '../../support/time/virtualClock';
import { rowFor, modelScene, type Circumstances } from '../../support/runs/simulation';

/* A run of Sync against the model of the platform, with somebody in between who means no good. */

export const uuid = '5e550000-0000-4000-8000-00000000000a';
export const numbers = [...Array.from({ length: 10 }).keys()];
export const old0 = 'old0@example.com';
export const old = [old0, ...numbers.slice(1).map((index) => `old${index}@example.com`)];
const removing = { mayRemoveOthers: true, mostRemovals: 100, isDryRun: false, maxWaitSeconds: 60 };

/** What an attack may look at and change. */
interface Place {
	platform: PlatformModel;
	clock: VirtualClock;
}

/** Between the platform and Sync: what an answer is turned into. */
export type Tamper = (request: ApiRequest, answer: ApiResponse, place: Place) => ApiResponse;

export interface Attack extends Omit<Circumstances, 'before'> {
	rows?: Row[];
	there?: readonly string[];
	/** Registered in other sessions. */
	more?: Circumstances['before'];
	options?: Partial<SyncOptions>;
	tamper?: Tamper;
	/** Answers in the place of the platform. */
	instead?: (request: ApiRequest, ask: Ask, place: Place) => Promise<ApiResponse> | undefined;
}

export async function attacked({ rows, there = old, more = [], ...attack }: Attack) {
	const { options, tamper, instead, ...scene } = attack;
	const before = [...there.map((email) => ({ sessionId: uuid, email })), ...more];
	const { clock, platform, parts } = modelScene({ ...scene, before });
	const place = { platform, clock };
	const list = rows ?? numbers.map((index) => rowFor(uuid, `new${index}@example.org`));
	// The requests are those of the scene. The dates may be others.
	const usage = Object.create(parts.client.usage, {
		clockAheadMs: { value: undefined, writable: true },
	}) as Usage;
	const client: Client = {
		async send(request) {
			const lowerCase = { ...request, path: request.path.toLowerCase() };
			const { send } = parts.client;
			const answer = await (instead?.(lowerCase, send, place) ?? send(lowerCase));
			const response = tamper?.(request, answer, place) ?? answer;
			const aheadMs = clockAheadMs(response, clock.now());
			usage.clockAheadMs = leastAheadMs(usage.clockAheadMs, aheadMs);
			return response;
		},
		usage,
		refused: parts.client.refused,
	};
	const settings = { ...removing, ...options };
	const run = begunRun(client, clock, parts.signal);
	const report = await clock.run(runSync(list, run, settings));
	const sent = report.jobs.flatMap(({ people }) => people.map(({ row }) => row.address));
	platform.settle();
	const left = there.filter((email) => platform.isRegistered(uuid, email));
	const statuses = new Set(
		outcomesOf(report)
			.slice(list.length)
			.map(({ status }) => status),
	);
	return { report, platform, left, sent, statuses: [...statuses] };
}
