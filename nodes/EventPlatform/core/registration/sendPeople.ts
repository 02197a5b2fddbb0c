import { CancelledBeforeSending } from '../client/clock';
import { Failure } from '../client/failure';
import { mayHaveActed } from '../failures/meaning';
import type { Registration } from '../people/registration';
import type { Batch } from './candidate';
import { skipped, type Answer } from './carrier';
import type { LostAnswers } from './lostAnswer';
import type { RegistrationRun } from './registrationRun';

/** How people are sent: fifty in a job of a run, or one alone. */
export interface Sender<Accepted> {
	readonly run: Pick<RegistrationRun, 'clock' | 'findings'>;
	readonly lostAnswers: LostAnswers;
	/** Whether people who were refused are worth another request, which has them in the plain form. */
	mayTryPlain(): boolean;
	/** One attempt. */
	submit(registrations: readonly Registration[], isPlain: boolean): Promise<Accepted>;
	/** Makes attempts until one is answered. `isAgain`: after a refusal, in the plain form. */
	ask<Result>(
		attempt: () => Promise<Result>,
		how: { readonly isAgain: boolean },
	): Promise<Answer<Result>>;
}

/**
 * Sends people in one request, which everybody does in the same way: after a lost answer as `lostAnswer.ts` says, and once more in the plain form
 * where they are refused. The result is `skipped` where they may not be sent again.
 */
export async function sendPeople<Accepted>(
	batch: Batch,
	sender: Sender<Accepted>,
): Promise<Answer<Accepted | typeof skipped>> {
	const { run, lostAnswers } = sender;
	const { plainForm } = run.findings;
	const registrations = batch.people.map(({ row }) => row.registration);
	let isAgain = false;
	let isPlain = false;
	const attempt = async () => {
		const { lost } = batch;
		// An earlier attempt may have arrived, so that another one may register the same people twice.
		if (lost && (await lostAnswers.takeOver({ ...batch, lost }))) return skipped;
		// It may have been learned while these people waited.
		isPlain = isAgain || plainForm.isNeeded === true;
		const sentAt = run.clock.now();
		const accepted = await sender.submit(registrations, isPlain).catch((error: unknown) => {
			const failure = error instanceof Failure ? error : undefined;
			const mayHaveLeft = !(error instanceof CancelledBeforeSending);
			if (mayHaveLeft && mayHaveActed(error)) batch.lost ??= { sentAt, failure };
			throw error;
		});
		// Those who wait for this answer leave as soon as there is room, and have to know.
		plainForm.recordAccepted(registrations, isPlain);
		return accepted;
	};
	const answer = await sender.ask(attempt, { isAgain });
	if (answer.kind === 'answered') return answer;
	const { failure } = answer;
	const mayHelp = failure && !isPlain && plainForm.mayHelp(registrations, failure);
	if (!mayHelp || !sender.mayTryPlain()) return answer;
	isAgain = true;
	const plain = await sender.ask(attempt, { isAgain });
	// One that could not leave any more says nothing of the people.
	const hasLeft = plain.kind === 'answered' || plain.failure !== undefined;
	return hasLeft ? plain : answer;
}
