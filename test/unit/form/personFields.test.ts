import fc from 'fast-check';
import { namedQuestions, type Question } from '../../../nodes/EventPlatform/form/question';
import { readPersonFields, type Mapping } from '../../../nodes/EventPlatform/form/personFields';
import { form, text } from './registrationForm';

describe('an answer', () => {
	test.each<[string, unknown, string, asSent: unknown]>([
		[
			'size',
			'5 people',
			`"5 people" is not a choice of 'Size'. It has 1-10, 100+, null.`,
			'5 people',
		],
		['size', ['1-10', '100+'], "'Size' takes one answer, not 2.", '1-10, 100+'],
		[
			'topics',
			'Price, Beer',
			`"Beer" is not a choice of 'topics'. It has Price, Plans, large, Roadmap.`,
			['Price', 'Beer'],
		],
	])(
		'to %s that is no choice of the form as it was saved does not fit it: %j',
		(id, answer, problem, asSent) => {
			const values = { email: 'a@b.c', [id]: answer };
			const { hasUnknownChoice, problems, fields } = understood(values);
			expect({ hasUnknownChoice, problems }).toEqual({
				hasUnknownChoice: true,
				problems: [problem],
			});
			expect(fields.map((field) => field.id)).toEqual(['email']);
			const sent = understood(values, { unknownChoices: 'send' });
			expect(sent.problems).toEqual([]);
			expect(sent.fields[1]?.value).toEqual(asSent);
		},
	);

	test.each<[string, unknown, unknown]>([
		['size', '5 people', undefined],
		['size', ['1-10', '100+'], undefined],
		['topics', 'Beer', undefined],
		['topics', 'Price, Beer', ['Price']],
	])(
		'to %s is left out as far as it is no choice, where that is wanted: %j',
		(id, answer, sent) => {
			const values = { email: 'a@b.c', [id]: answer };
			const required = form.map((field) => ({ ...field, isRequired: true }));
			const person = understood(values, { unknownChoices: 'leaveOut', questions: required });
			const label = form.find((field) => field.id === id)?.label;
			expect(person.problems).toEqual([]);
			expect(person.notes.leftOut).toEqual([label]);
			expect(person.fields.find((field) => field.id === id)?.value).toEqual(sent);
			// A choice that is left out is no answer to a required question.
			expect(person.notes.unanswered?.includes(label ?? '')).toBe(sent === undefined);
		},
	);

	test.each<[offered: string[], entered: unknown[], meant: string | undefined]>([
		[
			['Yes', 'No'],
			['ja', 'OUI', 'Wahr', 'vrai', 'sí', 'si', 'sì', 'VERO', 'true', true, 1],
			'Yes',
		],
		[['Yes', 'No'], ['nein', 'Non', 'FALSCH', 'faux', 'falso', 'no', 'false', false, 0], 'No'],
		[['Ja', 'Nein', 'Vielleicht'], ['yes', 'WAHR'], 'Ja'],
		[['I agree', 'ja'], ['yes'], undefined],
		[['Oui'], ['ja'], 'Oui'],
		[['Oui'], ['nein'], undefined],
		[['1', '2', '3'], ['yes', true], undefined],
		[['0', '1', '2', '3'], ['ja', 'nein', true, false, 'off'], undefined],
		[['1', '0'], ['ja', true, 1], '1'],
		[['Ja', 'Nein', 'Vielleicht'], [1, '0'], undefined],
		[['Oui'], [1], 'Oui'],
		[['Yes', 'Oui', 'No'], ['ja'], undefined],
		[['Yes', 'No'], ['jawohl', 'ja, gern'], undefined],
	])('of %j is found for yes or no in another language: %j', (offered, entered, meant) => {
		const choices = offered.map((value) => ({ name: value, value }));
		const questions = [text('email'), { ...text('consent'), choices }];
		for (const consent of entered) {
			const { fields, problems } = understood({ email: 'a@b.c', consent }, { questions });
			expect([consent, fields[1]?.value]).toEqual([consent, meant]);
			expect(problems).toHaveLength(meant === undefined ? 1 : 0);
		}
	});

	test('without a form is sent whatever its name, and always as a text', () => {
		const values = { email: 'a@b.c', anything: ['x'], first_name: ['Ada', 'Augusta'] };
		const { fields, notes } = byName(values);
		expect(fields).toEqual([
			{ id: 'email', value: 'a@b.c' },
			{ id: 'anything', value: 'x' },
			{ id: 'first_name', value: 'Ada, Augusta' },
		]);
		expect(Object.values(notes).flat()).toEqual([]);
	});

	test('of a whole item without a form is sent and named, except an object, which is left out and named', () => {
		const questions = namedQuestions;
		const values = { Email: 'a@b.c', Company: 'X', meta: { a: 1 }, rows: [{}], note: '' };
		const { fields, notes, problems } = understood(values, {
			questions,
			unaskedColumns: 'sendTexts',
		});
		expect(fields.map(({ id }) => id)).toEqual(['email', 'Company']);
		expect(notes.unchecked).toEqual(['Company', 'meta', 'rows']);
		expect(problems).toEqual([]);
	});

	test('to a question that is not on the form is left out and named', () => {
		const values = { email: 'a@b.c', shoe: 43, hat: '' };
		const { fields, notes } = understood(values);
		expect(fields.map(({ id }) => id)).toEqual(['email']);
		expect(notes.ignored).toEqual(['shoe']);
		const explicit = understood(values, { explicit: new Set(['shoe']) });
		expect(explicit.fields.map(({ id }) => id)).toEqual(['email', 'shoe']);
		expect(explicit.notes).toEqual({});
	});

	test('stands in one column: two that mean the same are named, an empty one is none', () => {
		const values = { Employer: 'B', company: 'A', Firma: ' ', email: 'a@b.c' };
		expect(understood(values).problems).toEqual([
			"The columns 'Employer' and 'company' both mean 'Employer'. Remove one.",
		]);
		expect(understood({ ...values, Employer: '' }).problems).toEqual([]);
	});
});

describe('an answer with lost letters', () => {
	const lost = (name: string) =>
		expect.stringContaining(`'${name}' has lost letters`) as unknown as string;

	test.each<[where: string, more: Partial<Mapping>]>([
		['by a form', {}],
		['where unknown choices are left out', { unknownChoices: 'leaveOut' }],
		['where unknown choices are sent', { unknownChoices: 'send' }],
		['without a form', { questions: [], unaskedColumns: 'send' }],
		['of a whole item without a form', { questions: [], unaskedColumns: 'sendTexts' }],
		['of a person who is registered', { isRegistered: true }],
	])('keeps the person out %s', (_, more) => {
		const { problems, email } = understood({ email: 'a@b.c', size: 'gr\ufffd\ufffd' }, more);
		expect({ problems, email }).toEqual({ problems: [lost('size')], email: 'a@b.c' });
	});

	test('is no problem where the form does not ask for it', () => {
		const { problems, notes } = understood({ email: 'a@b.c', shoe: 'gro\ufffd' });
		expect([problems, notes.ignored]).toEqual([[], ['shoe']]);
	});

	test('is shown with the person', () => {
		const { email, fields } = understood({ email: 'j\ufffd@b.c', first_name: 'J\ufffdrgen' });
		expect(email).toBe('j\ufffd@b.c');
		expect(fields).toContainEqual({ id: 'first_name', value: 'J\ufffdrgen' });
	});
});

describe('a question that the form requires', () => {
	const strict = form.map((field) => ({ ...field, isRequired: field.id !== 'size' }));

	test('and that is not answered is named, and the person registered all the same', () => {
		const values = { email: 'a@b.c', company: '', size: ' ', topics: [] };
		const { problems, notes } = understood(values, { questions: strict });
		expect(problems).toEqual([]);
		expect(notes.unanswered).toEqual(['first_name', 'Employer', 'topics']);
	});

	test('stays as it is where somebody is registered already', () => {
		const mapping = { questions: strict, isRegistered: true };
		const { problems, notes, fields } = understood({ size: '', company: 'A' }, mapping);
		expect([problems, notes]).toEqual([[], {}]);
		expect(fields).toEqual([{ id: 'company', value: 'A' }]);
	});
});

describe('an address', () => {
	test('can be sent, trimmed', () => {
		const email = 'ada+x@example.co.uk';
		const fields = [{ id: 'email', value: email }];
		expect(byName({ email: ` ${email} ` })).toMatchObject({ fields, problems: [], email });
	});

	test.each(['ada', '   '])('"%s" is refused', (email) => {
		expect(byName({ email }).problems).toHaveLength(1);
	});

	test('of somebody registered is replaced by a clean address only', () => {
		const answers = (email: string) => byName({ email }, { isRegistered: true });
		const { fields } = answers('Ada <ada@x.org>');
		expect(fields).toEqual([{ id: 'email', value: 'ada@x.org' }]);
		expect(answers('n/a').problems).toEqual(['"n/a" is not an email address.']);
		expect(answers('').problems).toEqual([]);
	});

	const missed = 'There is no email. It is the one field that every person needs.';

	test.each<[what: string, values: Record<string, unknown>]>([
		['the column is empty', { 'E-Mail': ' ', first_name: 'Ada' }],
		['nothing came', {}],
	])('is missed where %s', (_, values) => {
		expect(understood(values).problems).toEqual([missed]);
	});

	test.each<[values: Record<string, unknown>, nearest: string | null]>([
		[{ Name: 'Ada', 'Contact email': 'ada@example.com' }, 'Contact email'],
		[{ Name: 'Ada', 'Participant E-Mail': '' }, 'Participant E-Mail'],
		[{ Name: 'Ada', 'Adresse mail (pro)': 'ada@example.com' }, 'Adresse mail (pro)'],
		[{ Name: 'Ada', Kontakt: 'Ada <ada@example.com>' }, null],
	])('is missed with the columns that came, and the nearest one: %j', (values, nearest) => {
		const columns = Object.keys(values).map((name) => `'${name}'`);
		const advice =
			nearest === null
				? "Name the column with the address 'Email'."
				: `Did you mean '${nearest}'? Name that column 'Email'.`;
		expect(understood(values).problems).toEqual([
			`${missed} The columns are ${columns.join(', ')}. ${advice}`,
		]);
	});
});

test.each([
	['Ada <ADA@example.com>', 'ADA@example.com', []],
	[' nobody ', 'nobody', ['"nobody" is not an email address.']],
])('the email %j is sent as it is shown: %j', (text, email, problems) => {
	const values = { email: text, company: 'A' };
	const person = understood(values);
	expect(person).toMatchObject({ email, problems });
	expect(person.fields).toEqual([
		{ id: 'email', value: email },
		{ id: 'company', value: 'A' },
	]);
});

test('whatever comes in, every value is sent, left out and named, empty, or a problem', () => {
	const values = fc.dictionary(
		fc.oneof(fc.constantFrom(...form.map(({ id }) => id), '__proto__'), fc.string()),
		fc.anything({ withDate: true, withNullPrototype: true }),
	);
	fc.assert(
		fc.property(values, fc.boolean(), (row, withForm) => {
			const person = withForm ? understood(row) : byName(row);
			const named = new Set([
				...person.fields.map(({ id }) => id),
				...(person.notes.ignored ?? []),
			]);
			for (const [id, value] of Object.entries(row)) {
				const field = withForm ? form.find((question) => question.id === id) : undefined;
				const isEmpty = [value].flat().every((part) => isBlank(part ?? ''));
				const isProblem = person.problems.some(
					(problem) => problem.includes(`'${id}'`) || (field && problem.includes(field.label)),
				);
				expect(named.has(id) || isProblem || isEmpty).toBe(true);
			}
			for (const { value } of person.fields) {
				expect([value].flat().every((part) => typeof part === 'string')).toBe(true);
			}
		}),
	);
});

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
		expect(understood({ email: 'a@b.c', company: input }).problems).toEqual([
			"The value of 'company' is an object. Give text or a list of texts.",
		]);
	},
);

test.each<[string, string, unknown, string, string]>([
	['company', 'a text', 'M\ufffdller AG', 'M\ufffdller AG', 'M\ufffdller AG'],
	['company', 'one of several texts', ['A', 'B\ufffd'], 'A, B\ufffd', 'B\ufffd'],
	['size', 'what may be a choice', '1\ufffd10', '1\ufffd10', '1\ufffd10'],
	['notes', 'a text without a question', '\ufffd', '\ufffd', '\ufffd'],
	['Stra\ufffde', 'the name of a column without a question', 'A', 'A', 'Stra\ufffde'],
])('letters are lost in %s: %s', (id, _, input, value, quoted) => {
	const { problems, fields } = understood({ email: 'a@b.c', [id]: input }, byHandOrForm);
	expect(problems).toEqual([
		`The value of '${id}' has lost letters ("${quoted}"): the file was read in the wrong encoding. Save the list as 'CSV UTF-8' in Excel, or set 'Encoding' among the options of 'Extract from File' to Latin1, which puts most files of Excel right.`,
	]);
	expect(fields[1]).toEqual({ id, value });
});

test('a question may have a label with lost letters: only its answer is sent', () => {
	const questions = form.concat({ ...text('street'), label: 'Stra\ufffde' });
	const { problems, fields } = understood({ email: 'a@b.c', 'Stra\ufffde': 'A' }, { questions });
	expect([problems, fields[1]]).toEqual([[], { id: 'street', value: 'A' }]);
});

/** The value of an answer about which there is nothing to say. */
function sentFor(id: string, input: unknown) {
	const { fields, problems } = understood({ email: 'a@b.c', [id]: input }, byHandOrForm);
	expect(problems).toEqual([]);
	return fields[1]?.value;
}

/** The IDs of the questions that these columns answer, each with an address beside it. */
function idsOf(columns: readonly string[], questions: readonly Question[]): string[] {
	return columns.map((column) => {
		const values = { [column]: 'ada@x.io' };
		const { fields } = understood(values, { questions, isRegistered: true });
		return fields[0]?.id ?? 'none';
	});
}

test.each([
	['company', ['Company', ' EMPLOYER ', 'Entreprise', 'Firma', 'Empresa']],
	['first_name', ['first name', 'FIRST-NAME', 'FirstName', 'Given name', 'Prénom', 'Vorname']],
	['last_name', ['Surname', 'Nom de famille', 'Nachname', 'Apellidos']],
	['email', ['E-Mail', 'mail', 'Email address', 'Courriel', 'Correo electrónico']],
])('the question %s may be named as lists name it', (id, names) => {
	const labelled = [...form, text('last_name')].map((field) =>
		field.id === 'email' ? { ...field, label: 'Where we reach you' } : field,
	);
	expect(idsOf(names, labelled)).toEqual(names.map(() => id));
});

test.each([
	['\u30cf\u30b9', '\u30d0\u30b9'],
	['!', '?'],
])('a column %s is not the question %s, which has other marks', (name, label) => {
	expect(idsOf([label, name], [...form, { ...text('bus'), label }])).toEqual(['bus', 'none']);
});

test('the label of another question takes no name away from those that every session has', () => {
	const guest = { ...text('guest_name'), label: 'First Name' };
	const ids = idsOf(['first_name', 'FIRST NAME', 'guest_name'], [...form, guest]);
	expect(ids).toEqual(['first_name', 'first_name', 'guest_name']);
});

/** Nothing but blanks and commas, which is no choice. */
function isBlank(value: unknown) {
	return typeof value === 'string' && /^[\s,]*$/.test(value);
}

/** Answers to no question are sent. */
const byHandOrForm: Partial<Mapping> = { unaskedColumns: 'send' };

/** Reads the values by the form and leaves other columns out, unless told otherwise. */
function understood(values: Record<string, unknown>, more: Partial<Mapping> = {}) {
	return readPersonFields(values, {
		questions: form,
		unaskedColumns: 'ignore',
		unknownChoices: 'refuse',
		explicit: new Set(),
		isRegistered: false,
		...more,
	});
}

/** Each by its own name. */
function byName(values: Record<string, unknown>, more: Partial<Mapping> = {}) {
	return understood(values, { questions: [], unaskedColumns: 'send', ...more });
}
