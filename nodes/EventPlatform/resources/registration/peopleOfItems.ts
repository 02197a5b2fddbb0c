import { NodeOperationError } from 'n8n-workflow';
import type { Run, Visit } from '../operation';
import type { PersonOutcome, Status } from '../../core/bulk/outcome';
import type { Candidate } from '../../core/bulk/plan';
import type { MappedPerson } from '../../form/personFields';
import { mapAnswers } from '../../form/registrationForm';
import { FormNotes } from '../../form/formNotes';
import { readRegistrant, type PersonToRegister } from '../../form/registrationFields';

export interface People {
	people: readonly Candidate[];
	notes: FormNotes;
}

/** Everyone who comes in: the person that each item stands for, or why it stands for nobody, and what their answers lack. */
export async function peopleOfItems(run: Run): Promise<People> {
	const people: Candidate[] = [];
	const notes = new FormNotes();
	for (const itemIndex of run.context.getInputData().keys()) {
		const of = { api: run.api, read: run.read(itemIndex) };
		const mapped = mapAnswers(of, readRegistrant, notes, itemIndex);
		people.push(await mapped.then(asCandidate).catch(asProblem));
	}
	return { people, notes };
}

/** The person of one item: what the form does not ask for is told, and what cannot be sent is refused. */
export async function readOne<Mapped extends MappedPerson>(
	visit: Visit,
	map: Parameters<typeof mapAnswers<Mapped>>[1],
	consequence: string,
): Promise<{ person: Mapped; notes: FormNotes }> {
	const notes = new FormNotes();
	const person = await mapAnswers(visit, map, notes);
	notes.notAsked().forEach(visit.hint);
	if (person.problems.length === 0) return { person, notes };
	// The first sentence is the title, because it names the cause.
	const [cause = '', ...more] = person.problems.join(' ').split(/(?<=\.) /);
	throw visit.read.refusal(cause.replace(/\.$/, ''), [...more, consequence].join(' '));
}

/** Below the counts of the run: what became of answers. */
export function tellOfAnswers(
	{ people, notes }: People,
	outcomes: readonly PersonOutcome[],
	/** Of those whom this run has registered. */
	status: Status,
	{ hint }: Run,
): void {
	const isRegistered = (place: number) => outcomes[place]?.status === status;
	const sent = people.flatMap(({ sessionId, wanted: { fields } }, place) =>
		isRegistered(place) && outcomes[place]?.person ? { sessionId, fields } : [],
	);
	const hints = [notes.notAsked(), notes.notKept(sent), notes.withoutAnswer(isRegistered)];
	hints.flat().forEach(hint);
}

function asCandidate(registrant: PersonToRegister): Candidate {
	const { sessionId, email, fields, problems, tracking } = registrant;
	return {
		...{ sessionId, email },
		problems: problems.length > 0 ? problems : none.problems,
		wanted: { fields, tracking: Object.keys(tracking).length > 0 ? tracking : none.tracking },
	};
}

/** One for everybody, because a run holds each person: most have nothing of it. */
const none = { problems: [], tracking: {} };

/** A parameter that cannot be meant concerns this item alone. */
function asProblem(error: unknown): Candidate {
	if (!(error instanceof NodeOperationError)) throw error;
	return { sessionId: '', problems: [error.message], wanted: { fields: [], tracking: {} } };
}
