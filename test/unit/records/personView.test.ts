import { AnswerColumns } from '../../../nodes/EventPlatform/core/records/answerColumns';
import { viewPerson } from '../../../nodes/EventPlatform/core/records/personView';
import { registration } from './registrationFields';

const person = registration('s', 'company');

test('all of a person is kept unless less is to be shown', () => {
	expect(viewPerson(person, {})).toEqual({ session_id: 's', company: 'x' });
});

test('no more of a person is kept than is shown', () => {
	const show = () => ({ company: 'x' });
	expect(viewPerson(person, { show })).toEqual({ company: 'x' });
});

test('the columns of a person are collected, also those that are not shown', () => {
	const columns = new AnswerColumns();
	viewPerson(person, { show: () => ({}), columns });
	expect([columns.mayHave('s', 'company'), columns.mayHave('s', 'phone')]).toEqual([true, false]);
});
