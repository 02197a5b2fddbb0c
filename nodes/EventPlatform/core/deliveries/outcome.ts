import type { JsonObject } from '../http/ports';

/** How a delivery is answered. */
export interface Outcome {
	/** 503 and 400 make the platform deliver again; 401 tells a forger nothing. */
	status: 200 | 400 | 401 | 503;
	/** What the run starts with; none: it does not start. */
	records: JsonObject[];
	/** For the log. */
	reason: string;
	/** To be called when it is known whether n8n could create the run. */
	settle?: (isStarted: boolean) => void;
}

/** Answered well, so that the platform neither comes again nor disables the subscription. */
export const ignore = (reason: string): Outcome => ({ status: 200, records: [], reason });
export const refuse = (reason: string): Outcome => ({ status: 401, records: [], reason });
export const later = (reason: string): Outcome => ({ status: 503, records: [], reason });
