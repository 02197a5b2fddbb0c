import type { Registration } from '../people/registration';
import type { Batch } from './candidate';
import { unsent, type Answer } from './carrier';
import type { LostAnswers } from './lostAnswer';
import type { PlainForm } from './refusedBatch';
import type { Ms } from '../values/units';

/** How people are sent: fifty in a job of a run, or one alone. */
export interface Sender<Accepted> {
	readonly plainForm: PlainForm;
	readonly lostAnswers: LostAnswers;
	/** Whether people who were refused are worth another request, which has them in the plain form. */
	mayTryPlain(): boolean;
	/** One attempt. */
	submit(registrations: readonly Registration[], isPlain: boolean): Promise<Accepted>;
	/** Makes attempts until one is answered, and says when one left whose answer got lost. `isAgain`: after a refusal, in the plain form. */
	ask<Result>(
		attempt: () => Promise<Result>,
		how: { readonly isAgain: boolean; recordLost(sentAt: Ms): void },
	): Promise<Answer<Result>>;
}

/**
 * Sends people in one request, which everybody does in the same way: after a lost answer as `lostAnswer.ts` says, and once more in the plain form
 * where they are refused. The result is `unsent` where they may not be sent again.
 */
export async function sendPeople<Accepted>(
	batch: Batch,
	sender: Sender<Accepted>,
	mustBePlain = false,
): Promise<Answer<Accepted | typeof unsent>> {
	const { plainForm, lostAnswers } = sender;
	const registrations = batch.people.map(({ row }) => row.registration);
	let isPlain = mustBePlain;
	const attempt = async () => {
		const { lostAt } = batch;
		// An earlier attempt may have arrived, so that another one may register the same people twice.
		if (lostAt !== undefined && !(await lostAnswers.mayBeSentAgain({ ...batch, lostAt })))
			return unsent;
		// It may have been learned while these people waited.
		isPlain = mustBePlain || plainForm.isNeeded === true;
		const accepted = await sender.submit(registrations, isPlain);
		// Those who wait for this answer leave as soon as its place is free, and have to know.
		plainForm.recordAccepted(registrations, isPlain);
		return accepted;
	};
	const recordLost = (sentAt: Ms) => {
		batch.lostAt ??= sentAt;
	};
	const answer = await sender.ask(attempt, { isAgain: mustBePlain, recordLost });
	if (answer.kind === 'answered') return answer;
	const { failure } = answer;
	const mayHelp = failure && !isPlain && plainForm.mayHelp(registrations, failure);
	if (mayHelp && sender.mayTryPlain()) return await sendPeople(batch, sender, true);
	return answer;
}
