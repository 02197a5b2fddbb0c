import type { SandboxOptions } from '../options';
import type { Problem } from '../refusal';

/** The words in which clients have been told that a person is registered already. */
const otherWords: readonly Problem[] = [
	{ code: '422', message: 'Email has already been invited' },
	{ code: '422', message: 'has already been taken' },
	{ code: '422', message: 'Identity has already been taken' },
	{ code: 'unprocessable_entity', message: 'This person has already been registered' },
];

/** The problems of a person as this platform words them; `position` picks among several wordings. */
export function inWords(
	{ errorWords }: Pick<SandboxOptions, 'errorWords'>,
	problems: readonly Problem[],
	position: number,
): Problem[] {
	const wording = otherWords[position % otherWords.length];
	return problems.map((problem) =>
		problem.code === 'already_registered' && errorWords === 'other' && wording ? wording : problem,
	);
}
