import type { TaskVariant } from '../people/registration';
import type { Batch } from './candidate';
import type { QueuedRequest } from './queue';

/** Some people of one session on their way to the platform, with what came of it so far. */
export interface PendingBatch extends Batch, QueuedRequest {
	/** The number of attempts in a row that have failed. */
	readonly failedAttempts?: number;
	/** When the first attempt left whose response got lost. The platform may have acted on it. Absent: no response got lost. */
	readonly lostAt?: number;
	/** The variants in which these people were sent, the last one at the end. Absent: they were not sent yet. */
	readonly variants?: readonly TaskVariant[];
}
