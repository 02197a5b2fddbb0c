import type { Failure } from '../client/failure';
import { howRegisteredIsTold } from '../dialect/alreadyRegistered';

/** Reads the response to one person. A 409 needs no words, but its code may name another problem. */
export function isRegisteredAlready({ cause, errors }: Pick<Failure, 'cause' | 'errors'>): boolean {
	const telling = howRegisteredIsTold(errors);
	if (cause === 'already_exists') return telling !== 'another code';
	return ['unprocessable', 'refused'].includes(cause) && ['code', 'words'].includes(telling);
}
