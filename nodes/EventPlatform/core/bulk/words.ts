import { Cancelled, Failure } from '../http/failure';
import { redact } from '../http/redact';
import { failureText } from '../http/failureText';
import type { Reason } from '../jobs/taskResult';
import type { Outcome } from './person';

/** Why a run, or a session in it, ended before everyone was sent and confirmed. */
export type Stop = Reason;

export function because(error: unknown, jobId?: string): Stop {
	if (error instanceof Cancelled) return { code: 'cancelled', message: 'The run was cancelled.' };
	if (!(error instanceof Failure)) {
		const message = redact(error instanceof Error ? error.message : String(error));
		return { code: 'unexpected', message };
	}
	if (error.reason === 'time_over') {
		const message = 'The time for this run was over. Run the same people again, or raise Max Wait.';
		return { code: 'time_over', message };
	}
	const about = { what: 'the session', scope: 'events', jobId };
	const { title, description } = failureText(error, about);
	return { code: error.reason, message: `${title}. ${description}` };
}

/** Nobody of them is on the platform through this run. */
export function notSent({ code, message }: Reason): Outcome {
	return { status: 'failed', errors: [{ code, message: `Not sent. ${message}` }] };
}

/** They may be on the platform. */
export function notConfirmed({ code, message }: Reason, jobId?: string): Outcome {
	const errors = [{ code, message: `Sent, but not confirmed. ${message}` }];
	return { status: 'unknown', jobId, errors };
}

/** In the platform's own words, which may be about somebody else when several were in the request. */
export function refused(failure: Failure, people: number): Outcome {
	const message = `The platform refused a request with ${people} people as a whole, and it was not split to find out whose values are wrong.`;
	const together = people > 1 ? [{ code: 'refused_together', message }] : [];
	return { status: 'failed', errors: [...together, ...platformWords(failure)] };
}

function platformWords(failure: Failure): Reason[] {
	const { reason, status, errors } = failure;
	const said = errors.map(({ code, title, detail }) => ({
		code: code ?? String(status ?? reason),
		message: detail ?? title ?? code ?? '',
	}));
	if (said.length > 0) return said;
	const { title, description } = failureText(failure);
	return [{ code: reason, message: `${title}. ${description}` }];
}
