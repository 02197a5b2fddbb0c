import { subjectOf, type Delivery } from './delivery';
import { keepLatest } from './keepLatest';

/** The platform's last attempts come about 10 and 22 minutes after its first. */
const lastAttemptsMs = 9 * 60_000;

/**
 * A person may be unregistered, or an event deleted, before its delivery can be confirmed. Refusing
 * the platform's last attempt as well would disable the subscription. A job is never deleted.
 */
export class Patience {
	private readonly deniedSince = new Map<string, number>();

	constructor(private readonly limit: number) {}

	/** Whether this was denied long enough to be taken as gone. */
	isOver({ kind, record }: Delivery, now: number): boolean {
		if (subjectOf(kind) === 'job') return false;
		const key = `${kind} ${record.id}`;
		const since = this.deniedSince.get(key);
		if (since !== undefined) return now - since >= lastAttemptsMs;
		this.deniedSince.set(key, now);
		keepLatest(this.deniedSince, this.limit);
		return false;
	}
}
