import { hintsBeforeSending } from '../../form/hints';
import type { Registrant } from '../../form/registrant';
import { readRegistrant, type RegistrantSettings } from '../../form/readRegistrant';
import type { JsonObject } from '../../core/values/json';
import type { ItemContext } from '../runContext';

/**
 * Reads the person of one item, and notes what hints say before anything is sent. A person who cannot be sent is refused, with `consequence`
 * as the last sentence.
 */
export async function readSingleRegistrant(
	{ forms, parameters, notes }: ItemContext,
	consequence: string,
	settings?: RegistrantSettings,
): Promise<Registrant> {
	const person = await readRegistrant(forms, parameters, settings);
	notes.note(hintsBeforeSending, [person]);
	if (person.problems.length === 0) return person;
	const [problem = '', ...more] = person.problems;
	throw parameters.parameterError(problem.replace(/\.$/, ''), [...more, consequence].join(' '));
}

/** Puts the status in front, where a table shows it; no field of the record can replace it. */
export function statusFirst(status: string, record: JsonObject): JsonObject {
	return Object.assign({ status }, record, { status });
}
