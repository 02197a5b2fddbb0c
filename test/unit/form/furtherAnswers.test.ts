import {
	addFurtherAnswers,
	readFurtherAnswers,
} from '../../../nodes/EventPlatform/form/furtherAnswers';
import { itemParameters } from '../../support/n8n/itemParameters';

interface Row {
	id?: unknown;
	value?: unknown;
}

const read = (...answer: Row[]) =>
	readFurtherAnswers(itemParameters({ additionalFields: { furtherAnswers: { answer } } }));

test('answers are read by the ID of their question', () => {
	const { answers, problems } = read({ id: ' shoe ', value: '43' }, { id: 'cup', value: ['tea'] });
	expect([answers, problems]).toEqual([{ shoe: '43', cup: ['tea'] }, []]);
});

test.each([
	{},
	{ furtherAnswers: {} },
	{ furtherAnswers: 'x' },
	{ furtherAnswers: { answer: 'x' } },
])('there are none in %j', (additionalFields) => {
	const { answers, problems } = readFurtherAnswers(itemParameters({ additionalFields }));
	expect([answers, problems]).toEqual([{}, []]);
});

test('an answer without the ID of its question is a problem, unless it is empty', () => {
	const { problems } = read({ value: '43' }, { id: ' ', value: '44' }, { id: '', value: '' });
	expect(problems).toEqual(["One of the 'Further Answers' has no question ID."]);
});

describe('two answers to one question', () => {
	const problem = `The 'Further Answers' have two different answers to the question 'shoe'.`;

	test('are a problem where they differ, and the first one stays', () => {
		const { answers, problems } = read({ id: 'shoe', value: '43' }, { id: 'shoe ', value: '44' });
		expect([answers, problems]).toEqual([{ shoe: '43' }, [problem]]);
	});

	test('are a problem where one cannot be sent', () => {
		expect(read({ id: 'shoe', value: '43' }, { id: 'shoe', value: { a: 1 } }).problems).toEqual([
			problem,
		]);
	});

	test.each<[string, unknown, unknown]>([
		['the second is empty', '43', ''],
		['the first is empty', null, '43'],
		['they are alike but for their type', '43', 43],
	])('are none where %s', (_, first, second) => {
		const { answers, problems } = read({ id: 'shoe', value: first }, { id: 'shoe', value: second });
		expect([answers, problems]).toEqual([{ shoe: '43' }, []]);
	});
});

test('an empty answer takes no answer of a column away, and another one goes before it', () => {
	const values = { shoe: '43', cup: 'tea' };
	expect(addFurtherAnswers(values, { shoe: '', cup: 'milk', plate: '' })).toEqual({
		shoe: '43',
		cup: 'milk',
		plate: '',
	});
});
