import type { Outcome, Status } from '../bulk/outcome';
import type { Change } from './changes';
import { whyKept } from './law';

/** What became of one person, or would. */
export interface SyncOutcome extends Omit<Outcome, 'status'> {
	status: SyncStatus;
	changes: readonly Change[];
}

type ChangeMade = 'added' | 'updated' | 'removed';
type SyncStatus =
	| Exclude<Status, 'registered'>
	| ChangeMade
	| 'unchanged'
	/** The platform still shows something else than the list. */
	| 'not_updated'
	/** Not on the list, and not removed, with the reason. */
	| 'kept'
	/** Of a dry run. */
	| 'would_add'
	| 'would_update'
	| 'would_remove';

/** In the order of the interface. */
export const syncStatuses = [
	'added',
	'updated',
	'not_updated',
	'unchanged',
	'removed',
	'kept',
	'already_registered',
	'failed',
	'invalid',
	'duplicate',
	'unknown',
] as const satisfies readonly SyncStatus[];

/** What a dry run calls what a run does. */
export const inDryRun: Readonly<Record<ChangeMade, SyncStatus>> = {
	added: 'would_add',
	updated: 'would_update',
	removed: 'would_remove',
};

/** The statuses of bulk registration, of which one has another name here. */
export function asSync({ status, ...outcome }: Outcome): SyncOutcome {
	return { ...outcome, status: status === 'registered' ? 'added' : status, changes: [] };
}

export function kept(planned: SyncOutcome | undefined, doubts: readonly string[]): SyncOutcome {
	const errors = [{ code: 'kept', message: whyKept(doubts) }];
	return { changes: [], ...planned, status: 'kept', errors };
}
