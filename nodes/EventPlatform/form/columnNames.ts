import { areOneMistakeApart } from '../core/people/typingMistakes';
import { plainName } from '../core/values/text';
import { namedQuestionIds } from '../core/dialect/personAttributes';
import type { Question } from './question';

/* Finds the question that a column means by its name: its ID, its label, or a header that lists of people usually have for it. */

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

/** They may mean the same. A hint asks about them, and nobody is registered with a guess. */
const nearHeaders = [
	'company organisation organization organisationsname betrieb arbeitgeber société compagnie organización compañía',
	'team-size company-size employees teamgröße teamgroesse mitarbeiter mitarbeiterzahl anzahl-mitarbeiter unternehmensgröße taille-de-l-équipe effectif tamaño-del-equipo',
	'interests interest topics topic interessen interesse themen intérêts centres-d-intérêt sujets intereses temas',
	'job-title position role job-role rolle funktion jobtitel fonction rôle cargo función',
	'phone phone-number telephone mobile telefon telefonnummer handy téléphone portable teléfono móvil',
	'country land pays país',
	'city town stadt ort ville ciudad',
	'industry sector branche secteur sector-de-actividad industria',
	'website homepage webseite site-web sitio-web',
].map((names) => names.split(' ').map(plainName));

export function isNameOfEmail(name: string): boolean {
	const nameToCompare = plainName(name);
	return nameToCompare === 'email' || idOfHeader.get(nameToCompare) === 'email';
}

/** The shorter name has four letters and stands in the longer one, or one of them has a typing mistake. */
export function findCloseName(column: string, questions: readonly string[]): string | undefined {
	const header = plainName(column);
	const similarHeaders = nearHeaders.filter((names) => names.includes(header)).flat();
	return questions.find((question) => {
		const questionName = plainName(question);
		if (similarHeaders.includes(questionName)) return true;
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
	const questionsByName = new Map([
		...form.flatMap((question) =>
			question.attributeName === undefined
				? []
				: [[plainName(question.attributeName), question] as const],
		),
		...form.map((question) => [plainName(question.id), question] as const),
		...form.map((question) => [plainName(question.label), question] as const),
		// The label of another question does not take these names away.
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
