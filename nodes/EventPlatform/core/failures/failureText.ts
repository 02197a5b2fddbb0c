import type { Failure, PlatformError } from '../http/failure';
import { causes, type About, type FailureText } from './causes';

/** A failure in words for people. */
export function failureText(failure: Failure, about: About = {}): FailureText {
	const [{ speaker = 'The platform said' }, text] = causes[failure.reason];
	const [title, next] = text(failure, about);
	const status = failure.status === undefined ? '' : ` (${failure.status})`;
	const said = failure.errors.map(sentence).filter((one) => one !== '');
	const reason = speaker !== null && said.length > 0 ? `${speaker}: ${said.join(' · ')} ` : '';
	const job = about.jobId === undefined ? '' : ` The job is ${about.jobId}.`;
	return { title: `${title}${status}`, description: reason + next + job };
}

function sentence({ code, title, detail }: PlatformError): string {
	const main = detail ?? title ?? code ?? '';
	const text = code !== undefined && code !== main ? `${main} [${code}]` : main;
	return /[.!?…\]]$/.test(text) || text === '' ? text : `${text}.`;
}
