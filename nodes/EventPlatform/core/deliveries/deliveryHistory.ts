import { LastAttempts } from './lastAttempts';
import { LookupBudget } from './lookupBudget';
import type { Outcome } from './outcome';
import { SeenKeys } from './seenKeys';
import { SingleFlight } from './singleFlight';

/** What is known of the deliveries to one trigger, for as long as the process lives. */
export class DeliveryHistory {
	readonly seen = new SeenKeys(10_000);
	readonly examinations = new SingleFlight<Outcome>();
	readonly lastAttempts = new LastAttempts(1_000);
	/** When a check last found all subscriptions, with nothing left to catch up. */
	checkedAt = 0;

	constructor(readonly budget = new LookupBudget()) {}
}
