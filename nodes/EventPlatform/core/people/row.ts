import type { Registration } from './registration';

/** Someone to register, as the input has it. */
export interface Row {
	sessionId: string;
	/** Clean, or as given where it is no address. */
	email?: string;
	registration: Registration;
	/** Why this person cannot be sent, in words for people. */
	problems: readonly string[];
}
