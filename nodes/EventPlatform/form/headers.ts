/** The headers that lists of people really have, for the questions that most forms ask. */
const headers: Readonly<Record<string, string>> = {
	email:
		'mail e-mail-address mail-address work-email business-email courriel adresse-mail adresse-email adresse-electronique e-mail-adresse mailadresse correo correo-electronico direccion-de-correo',
	first_name: 'given-name forename fname prenom vorname nombre nombre-de-pila primer-nombre',
	last_name:
		'surname family-name lname nom nom-de-famille nachname familienname apellido apellidos',
	company: 'company-name employer entreprise societe firma unternehmen empresa',
	job_title: 'poste intitule-de-poste berufsbezeichnung puesto',
};

/** Another name in a list → the ID of the question that it means. */
export const knownHeaders: ReadonlyMap<string, string> = new Map(
	Object.entries(headers).flatMap(([id, names]) =>
		names.split(' ').map((name) => [plainName(name), id] as const),
	),
);

/** "First Name", "first_name" and "FIRSTNAME" are the same name, and so are "Prénom" and "prenom". */
export function plainName(name: string): string {
	const letters = name
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]+|[\u0300-\u036f]/gu, '');
	return letters === '' ? name.trim() : letters;
}

/** The question that somebody probably meant: one name holds the other, or a letter or two differ. */
export function closeTo(column: string, questions: readonly string[]): string | undefined {
	const given = plainName(column);
	return questions.find((question) => {
		const wanted = plainName(question);
		const [short, long] = given.length < wanted.length ? [given, wanted] : [wanted, given];
		if (short.length < fewestLetters) return false;
		return long.includes(short) || distance(short, long) <= mostTypos;
	});
}

const fewestLetters = 4;
const mostTypos = 2;

/** How many letters have to be put in, taken out or replaced to make one word the other. */
function distance(one: string, other: string): number {
	if (Math.abs(one.length - other.length) > mostTypos) return mostTypos + 1;
	let row = Array.from({ length: other.length + 1 }, (_, place) => place);
	for (const [index, letter] of [...one].entries()) {
		let left = index + 1;
		const next = [left];
		for (const [place, wanted] of [...other].entries()) {
			const replaced = (row[place] ?? 0) + (letter === wanted ? 0 : 1);
			left = Math.min(left + 1, (row[place + 1] ?? 0) + 1, replaced);
			next.push(left);
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}
