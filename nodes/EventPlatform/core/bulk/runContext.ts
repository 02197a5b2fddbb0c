import type { Api, Ask } from '../client/request';
import type { Clock } from '../client/clock';
import type { EmailUse } from '../people/emailUse';
import type { Explain } from '../people/outcome';
import type { Show } from '../records/simplify';
import type { SentJob } from './job';

export interface RunParts {
	api: Api;
	clock: Clock;
	signal?: AbortSignal;
	log?: (message: string) => void;
	explain: Explain;
	/** What is shown of a person: nothing else of the record is held. Absent: all of it. */
	show?: Show;
	onJob?: (job: SentJob) => void;
	/** Tells what an event does with the email that is sent, by its form. Absent: nobody knows. */
	emailUse?: (sessionId: string, ask: Ask) => Promise<EmailUse>;
}

export interface RunOptions {
	/** Off: the run ends when everything is sent. */
	waits: boolean;
	maxWaitSeconds: number;
	/** Refused requests are split until the bad rows stand alone. */
	isolates: boolean;
}
