import { makeQuestionFinder } from '../../../nodes/EventPlatform/form/columnNames';
import { form, text } from '../../support/platform/registrationForm';

test.each([
	['company', ['Company', ' EMPLOYER ', 'Entreprise', 'Firma', 'Empresa']],
	['first_name', ['first name', 'FIRST-NAME', 'FirstName', 'Given name', 'Prénom', 'Vorname']],
	['last_name', ['Surname', 'Nom de famille', 'Nachname', 'Apellidos']],
	['email', ['E-Mail', 'mail', 'Email address', 'Courriel', 'Correo electrónico']],
])('the question %s may be named as lists name it', (id, names) => {
	const labelled = [...form, text('last_name')].map((field) =>
		field.id === 'email' ? { ...field, label: 'Where we reach you' } : field,
	);
	const find = makeQuestionFinder(labelled);
	for (const name of names) expect([name, find(name)?.id]).toEqual([name, id]);
});

test.each([
	['\u30cf\u30b9', '\u30d0\u30b9'],
	['!', '?'],
])('a column %s is not the question %s, which has other marks', (name, label) => {
	const find = makeQuestionFinder([...form, { ...text('bus'), label }]);
	expect([find(label)?.id, find(name)]).toEqual(['bus', undefined]);
});

test('the label of another question takes no name away from those that every session has', () => {
	const guest = { ...text('guest_name'), label: 'First Name' };
	const find = makeQuestionFinder([...form, guest]);
	expect([find('first_name')?.id, find('FIRST NAME')?.id]).toEqual(['first_name', 'first_name']);
});
