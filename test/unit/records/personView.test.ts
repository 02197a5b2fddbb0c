import { AnswerColumns } from '../../../nodes/EventPlatform/core/records/answerColumns';
import { viewPerson } from '../../../nodes/EventPlatform/core/records/personView';
import { registration } from './registrationFields';

const person = registration('s', 'company');

test('all of a person is kept unless less is to be shown', () => {
	expect(viewPerson(person)).toEqual({ session_id: 's', company: 'x' });
});

test('no more of a person is kept than is shown', () => {
	const view = { columns: ['company'] };
	expect(viewPerson(person, view)).toEqual({ id: null, company: 'x' });
});

test('the columns of a person are collected, also those that are not shown', () => {
	const answerColumns = new AnswerColumns();
	viewPerson(person, { columns: ['first_name'], answerColumns });
	const mayHave = (question: string) => answerColumns.mayHave('s', question);
	expect(['company', 'phone'].map(mayHave)).toEqual([true, false]);
});
