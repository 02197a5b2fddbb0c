import { setOutcome } from '../registration/candidate';
import { outcomeWithoutAnswer } from '../people/conclusion';
import type { Outcome } from '../people/outcome';
import type { Answer, Carrier } from '../registration/carrier';
import type { RegistrationRun } from '../registration/registrationRun';
import { mayHaveActed } from '../failures/meaning';
import { mapConcurrently, usuallyAtOnce } from '../client/concurrently';
import type { SyncCandidate } from './intent';

/** Carries out the intent of a candidate: an update or a removal. `recordLost` says that the platform may have done it. */
export type SyncStep = (recordLost: () => void) => Promise<Outcome>;

/** Takes the same step for each of these people, several at once. */
export async function takeAll<Candidate extends SyncCandidate>(
	candidates: readonly Candidate[],
	run: RegistrationRun,
	carrier: Carrier,
	stepFor: (candidate: Candidate) => SyncStep,
	how: 'askPatiently' | 'askOnce',
): Promise<void> {
	await mapConcurrently(candidates, usuallyAtOnce, async (candidate) => {
		const turn = { sessionId: candidate.row.sessionId };
		const ask: AskForStep = (attempt) => carrier[how](turn, attempt);
		setOutcome([candidate], await take(stepFor(candidate), ask, run));
	});
}

type AskForStep = (attempt: () => Promise<Outcome>) => Promise<Answer<Outcome>>;

async function take(
	step: SyncStep,
	ask: AskForStep,
	{ sessions }: Pick<RegistrationRun, 'sessions'>,
): Promise<Outcome> {
	let isLost = false;
	const recordLost = () => {
		isLost = true;
	};
	const attempt = () =>
		step(recordLost).catch((error: unknown) => {
			if (mayHaveActed(error)) recordLost();
			throw error;
		});
	const answer = await ask(attempt);
	if (answer.kind === 'answered') return answer.result;
	return outcomeWithoutAnswer('change', { ...answer, isLost }, sessions);
}
