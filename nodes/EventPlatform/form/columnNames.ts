import { areOneMistakeApart } from '../core/people/typingMistakes';
import { plainName } from '../core/values/text';
import { namedQuestionIds } from '../core/dialect/personAttributes';
import type { Question } from './question';

/* Finds the question that a column means by its name: its ID, its label, the name of its attribute in the workspace,
   or a header that lists of people usually have for it. */

/** By the ID of the question. */
const headers = {
	email:
		'mail e-mail-address mail-address work-email business-email courriel adresse-mail adresse-email adresse-electronique e-mail-adresse mailadresse correo correo-electronico direccion-de-correo',
	first_name: 'given-name forename fname prenom vorname nombre nombre-de-pila primer-nombre',
	last_name:
		'surname family-name lname nom nom-de-famille nachname familienname apellido apellidos',
	company: 'company-name employer entreprise societe firma unternehmen empresa',
	job_title: 'poste intitule-de-poste berufsbezeichnung puesto',
};

const idOfHeader = new Map(
	Object.entries(headers).flatMap(([id, names]) =>
		names.split(' ').map((name) => [plainName(name), id] as const),
	),
);

export function isNameOfEmail(name: string): boolean {
	const nameToCompare = plainName(name);
	return nameToCompare === 'email' || idOfHeader.get(nameToCompare) === 'email';
}

/** The shorter name has at least four letters and stands in the longer one, or one of them has a typing mistake. */
export function findCloseName(column: string, questions: readonly string[]): string | undefined {
	const header = plainName(column);
	return questions.find((question) => {
		const questionName = plainName(question);
		const [shorter, longer] =
			header.length < questionName.length ? [header, questionName] : [questionName, header];
		return (shorter.length >= 4 && longer.includes(shorter)) || areOneMistakeApart(shorter, longer);
	});
}

/** The name may hold more than a name of the email, as "Contact email" and "Mailadresse privat" do. */
export function isLikeEmail(name: string): boolean {
	return findCloseName(name, ['email', ...headers.email.split(' ')]) !== undefined;
}

export function makeQuestionFinder(
	form: readonly Question[],
): (name: string) => Question | undefined {
	const questionsById = new Map(form.map((question) => [question.id, question]));
	// A later entry takes a name from the ones before it. Of two equal labels the last one counts.
	const questionsByName = new Map([
		...form.flatMap((question) =>
			question.attributeName === undefined
				? []
				: [[plainName(question.attributeName), question] as const],
		),
		...form.map((question) => [plainName(question.id), question] as const),
		...form.map((question) => [plainName(question.label), question] as const),
		// The label of another question does not take away the IDs that section 2.2 names.
		...form
			.filter(({ id }) => namedQuestionIds.includes(id))
			.map((question) => [plainName(question.id), question] as const),
	]);
	return (name) => {
		const nameToCompare = plainName(name);
		return (
			questionsById.get(name) ??
			questionsByName.get(nameToCompare) ??
			questionsById.get(idOfHeader.get(nameToCompare) ?? '')
		);
	};
}
