import { collectingView, viewPerson } from '../../../nodes/EventPlatform/core/records/recordView';
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
	const view = collectingView({ columns: ['first_name'] });
	expect(viewPerson(person, view)).toEqual({ id: null, first_name: null });
	const { answerColumns } = view;
	const mayHave = (question: string) => answerColumns.mayHave('s', question);
	expect(['company', 'phone'].map(mayHave)).toEqual([true, false]);
});

test('each run begins with no columns, and keeps all of a person where nothing else is said', () => {
	viewPerson(person, collectingView());
	const view = collectingView();
	// Where no registration was seen, no answer counts as dropped.
	expect(view.answerColumns.mayHave('s', 'phone')).toBe(true);
	expect(viewPerson(person, view)).toEqual({ session_id: 's', company: 'x' });
});
