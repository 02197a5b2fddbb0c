import type { Question } from '../../../nodes/EventPlatform/form/question';

/** A form with each kind of question. */
export const form: Question[] = [
	text('email'),
	text('first_name'),
	{ ...text('company'), label: 'Employer' },
	{
		...text('size'),
		label: 'Size',
		choices: choices({ Small: '1-10', '100+': '100+', null: 'null' }),
	},
	{
		...text('topics'),
		mayHaveSeveral: true,
		choices: choices({ Roadmap: 'Price', 'A, large': 'Plans, large', 'The Roadmap': 'Roadmap' }),
	},
];

export function text(id: string): Question {
	return { id, label: id, isRequired: false, mayHaveSeveral: false };
}

function choices(values: Record<string, string>) {
	return Object.entries(values).map(([name, value]) => ({ name, value }));
}
