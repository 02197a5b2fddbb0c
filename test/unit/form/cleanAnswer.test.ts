import { cleanAnswer } from '../../../nodes/EventPlatform/form/cleanAnswer';
import { form } from '../../support/platform/registrationForm';

/** Texts that an expression leaves where it meets nothing, an object or no date. */
const nothings = 'undefined|null|NaN| [object Object]|Invalid Date|Invalid DateTime'.split('|');

test.each<[string, string, unknown, unknown]>([
	['company', 'a text stays as it is', 'Ada ', 'Ada '],
	['company', 'a switch becomes a text', false, 'false'],
	['company', 'zero is an answer', 0, '0'],
	['company', 'a date', new Date('2026-11-21T08:00:00Z'), '2026-11-21T08:00:00.000Z'],
	[
		'company',
		'a date of n8n',
		{ toJSON: () => '2026-11-21T09:00:00.000+01:00' },
		'2026-11-21T09:00:00.000+01:00',
	],
	['company', 'a list for a plain field is joined', ['A', 'B'], 'A, B'],
	['company', 'what is no number is no answer', NaN, undefined],
	['company', 'an expression that found nothing writes this', nothings, undefined],
	['company', 'the surname "Null" is an answer', 'Null', 'Null'],
	['company', 'what nobody sees is no answer', '\u200b \u2060\u0000\u3164\u2800', undefined],
	['anything', 'without a question a list is a text', ['A', 2, true], 'A, 2, true'],
	['anything', 'without a question a number is a text', 1.5, '1.5'],
	['anything', 'without a question a list as JSON stays as it is', '["A"]', '["A"]'],
	['topics', 'a list stays a list', ['Price', 'Roadmap'], ['Price', 'Roadmap']],
	['topics', 'one choice becomes a list', 'Price', ['Price']],
	['topics', 'several with commas are told apart', 'Price, Roadmap', ['Price', 'Roadmap']],
	['topics', 'a choice with a comma of its own stays whole', 'Plans, large', ['Plans, large']],
	['topics', 'a list as JSON', '["Price", "Roadmap"]', ['Price', 'Roadmap']],
	['topics', 'empty places are left out', ['Price', '', null], ['Price']],
	['topics', 'a comma at the end is no answer', 'Price, ', ['Price']],
	['topics', 'commas alone are none', ' , ', undefined],
	['topics', 'a label or another letter case', 'price,The Roadmap', ['Price', 'Roadmap']],
	['size', 'a choice may stand in a list', ['1-10'], '1-10'],
	['size', 'a choice may be a word for nothing', 'null', 'null'],
	['size', 'a label in another letter case', 'SMALL', '1-10'],
])('an answer to %s: %s', (id, _, input, sent) => {
	expect(sentFor(id, input)).toEqual(sent);
});

test.each([undefined, null, '', ' ', [], ['', null]])('an answer that is %j is none', (input) => {
	expect(sentFor('company', input)).toBeUndefined();
	expect(sentFor('size', input)).toBeUndefined();
	expect(sentFor('topics', input)).toBeUndefined();
});

test.each([{ a: 1 }, [{ a: 1 }], [['a']], new Date(NaN), { toJSON: () => null }])(
	'an answer cannot be %j',
	(input) => {
		expect(cleanAnswer('company', input, questionOf('company'))).toEqual({
			kind: 'object',
			problem: "The value of 'company' is an object. Give text or a list of texts.",
		});
	},
);

const lost = (name: string, text: string) =>
	`The value of '${name}' has lost letters ("${text}"): the file was read in the wrong encoding. Set 'Encoding' among the options of 'Extract from File', to Latin1 for most files of Excel.`;

test.each<[string, string, unknown, string, string]>([
	['company', 'a text', 'M\ufffdller AG', 'M\ufffdller AG', 'M\ufffdller AG'],
	['company', 'one of several texts', ['A', 'B\ufffd'], 'A, B\ufffd', 'B\ufffd'],
	['size', 'what may be a choice', '1\ufffd10', '1\ufffd10', '1\ufffd10'],
	['notes', 'a text without a question', '\ufffd', '\ufffd', '\ufffd'],
	['Stra\ufffde', 'the name of a column without a question', 'A', 'A', 'Stra\ufffde'],
])('letters are lost in %s: %s', (id, _, input, value, quoted) => {
	expect(cleanAnswer(id, input, questionOf(id))).toEqual({
		kind: 'misread',
		value,
		problem: lost(id, quoted),
	});
});

test('a question may have a label with lost letters: only its answer is sent', () => {
	const question = { ...form[2], id: 'company', label: 'Stra\ufffde' } as (typeof form)[number];
	expect(cleanAnswer('Stra\ufffde', 'A', question)).toEqual({ kind: 'fits', value: 'A' });
});

function questionOf(id: string) {
	return form.find((question) => question.id === id);
}

/** The value of an answer about which there is nothing to say. */
function sentFor(id: string, input: unknown) {
	const answer = cleanAnswer(id, input, questionOf(id));
	if (answer === undefined) return undefined;
	if (answer.kind !== 'fits') throw new Error(JSON.stringify(answer));
	return answer.value;
}
