import { recordIn } from '../dialect/envelope';
import { hasErrors, readErrors } from '../dialect/errors';
import type { Ask, ApiRequest, ApiResponse } from '../client/request';
import { asFailure, Failure } from '../client/failure';
import { pathToPeople } from '../client/path';
import { persist } from '../client/patience';
import { mayHaveActed } from '../failures/meaning';
import { concludeAlone } from '../people/conclusion';
import { findByEmail, listedPersonOf } from '../people/findPeople';
import { reasonOfError, type Outcome } from '../people/outcome';
import { asTask, type Registration, type Row } from '../people/registration';
import type { JsonObject } from '../values/json';
import type { Batch, Candidate, FindPeople, LostAttempt } from './candidate';
import { skipped, type Answer } from './carrier';
import { LostAnswers } from './lostAnswer';
import type { RegistrationRun } from './registrationRun';
import { sendPeople, type Sender } from './sendPeople';

export type SentOne =
	/** The platform has taken the person. It may not have sent the record. */
	| { readonly kind: 'accepted'; readonly person?: JsonObject }
	/** As the platform says. What is not certain is believed unless the list of the session shows nobody. */
	| {
			readonly kind: 'alreadyRegistered';
			readonly isCertain: boolean;
			readonly failure: Failure;
			readonly lost?: LostAttempt;
	  }
	/** The failure tells whether the person may be registered nevertheless. */
	| { readonly kind: 'failed'; readonly failure: Failure }
	/** After a lost answer nothing may be sent again. `person`: as the list shows them, where it was asked and has them. */
	| {
			readonly kind: 'decided';
			readonly outcome: Outcome;
			readonly lost: Failure;
			readonly person?: JsonObject;
	  };

type Accepted = Extract<SentOne, { kind: 'accepted' }>;

/**
 * Sends one person, whom the platform registers within the request. `mayRepeat`: a second attempt that finds the person registered is a
 * good result.
 */
export async function sendOne(
	run: RegistrationRun,
	row: Row,
	mayRepeat: boolean,
): Promise<SentOne> {
	return await new Sending(run, row, mayRepeat).carryOut();
}

class Sending implements Sender<Accepted> {
	readonly lostAnswers: LostAnswers;
	private readonly path: string;
	private listed?: JsonObject;

	constructor(
		readonly run: RegistrationRun,
		private readonly row: Row,
		private readonly mayRepeat: boolean,
	) {
		const { client, signal } = run;
		this.path = pathToPeople(row.sessionId);
		// An attempt that asks for the form is repeated as a whole.
		const askOnce: Ask = (request) => client.send({ ...request, retry: 'onlyWhenRateLimited' });
		this.lostAnswers = new LostAnswers(run, askOnce, signal, this.find, 0);
	}

	async carryOut(): Promise<SentOne> {
		const { row, lostAnswers } = this;
		const candidate: Candidate = { row };
		const batch: Batch = { sessionId: row.sessionId, people: [candidate] };
		let answer = await sendPeople(batch, this);
		const [again] = await lostAnswers.askLists();
		if (again) answer = await sendPeople(again, this);
		if (answer.kind === 'answered' && answer.result !== skipped) return answer.result;
		const lost = batch.lost?.failure;
		if (candidate.outcome && lost)
			return { kind: 'decided', outcome: candidate.outcome, lost, person: this.listed };
		// Only for the types is there another failure than that of the answer: who was skipped has an outcome by now.
		const failure = answer.kind === 'none' ? answer.failure : undefined;
		return this.withoutAnswer(failure ?? new Failure('unconfirmed', this.requestWith({})), batch);
	}

	mayTryPlain(): boolean {
		return true;
	}

	async submit([registration]: readonly Registration[], isPlain: boolean): Promise<Accepted> {
		const request = this.requestWith(registration ? asTask(registration, isPlain) : {});
		const response = await this.run.client.send(request);
		return { kind: 'accepted', person: personOfResponse(request, response) };
	}

	async ask<Result>(attempt: () => Promise<Result>): Promise<Answer<Result>> {
		const { clock, signal } = this.run;
		const mayTryAgain = (failure: Failure) => this.mayRepeat && mayHaveActed(failure);
		// One person has the patience of any request, and not that of fifty: somebody may be waiting in the editor.
		const again = { clock, signal, mayTryAgain };
		const result = await persist('request', attempt, again).catch(asFailure);
		return result instanceof Failure
			? { kind: 'none', reason: reasonOfError(result), failure: result }
			: { kind: 'answered', result };
	}

	private readonly find: FindPeople = async (sessionId) => {
		const { client } = this.run;
		const { address } = this.row;
		const listing = await findByEmail(client.send, sessionId, address).catch(asFailure);
		if (listing instanceof Failure) return undefined;
		[this.listed] = listing;
		return new Map(this.listed ? [[address, listedPersonOf(this.listed)]] : []);
	};

	private requestWith(attributes: JsonObject): ApiRequest {
		return { method: 'POST', path: this.path, body: { data: { type: 'people', attributes } } };
	}

	private withoutAnswer(failure: Failure, { lost }: Batch): SentOne {
		const { told, belief } = concludeAlone({ isLost: lost !== undefined, failure });
		if (belief !== 'none')
			return { kind: 'alreadyRegistered', isCertain: belief === 'certain', failure, lost };
		// What came after a lost attempt says nothing of it: the form that could not be read, or an attempt that was not sent.
		return { kind: 'failed', failure: (told === 'unknown' && lost?.failure) || failure };
	}
}

/**
 * Undefined where there is no record, because the specification does not show what the response holds. A 2xx says that the person
 * is registered, unless it names an error.
 */
function personOfResponse(
	request: ApiRequest,
	{ status, body }: ApiResponse,
): JsonObject | undefined {
	const person = recordIn(body);
	if (person || !hasErrors(body)) return person;
	throw new Failure('refused', request, { status, errors: readErrors(body) });
}
