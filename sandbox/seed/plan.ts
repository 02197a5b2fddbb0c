import { type FormField, defaultForm } from '../records/eventRecord';

type SeededStatus = 'upcoming' | 'live' | 'past' | 'on_demand' | 'past_not_started' | 'canceled';

export interface SeededSession {
	name: string | null;
	timezone: string;
	/** Planned start, from the day of the seed. */
	days: number;
	status: SeededStatus;
}

export interface SeededEvent {
	title: string;
	description: string;
	draft?: boolean;
	tags: readonly string[];
	form: FormField[];
	sessions: readonly SeededSession[];
}

const company: FormField = { id: 'company', type: 'text', order: 3, required: true, custom: true };
const teamSize: FormField = {
	id: 'team_size',
	type: 'multiple',
	order: 4,
	required: false,
	custom: true,
	options: {
		items: ['1-10', '11-100', '100+'].map((value) => ({ value })),
		multiple_answers: false,
	},
};
const interests: FormField = {
	id: 'interests',
	type: 'multiple',
	order: 5,
	required: false,
	custom: true,
	options: {
		items: ['Product', 'Pricing', 'Integrations'].map((value) => ({ value })),
		multiple_answers: true,
	},
};

/** The first three are there unless told otherwise; more events repeat the list. */
export const plan: readonly SeededEvent[] = [
	{
		title: 'Product Tour: Autumn Release',
		description: 'What is new, shown live, with time for questions.',
		tags: ['product', 'customers'],
		form: [...defaultForm, company, teamSize, interests],
		sessions: [
			{ name: 'Europe', timezone: 'Europe/Paris', days: 7, status: 'upcoming' },
			{ name: 'Americas', timezone: 'America/New_York', days: 8, status: 'upcoming' },
		],
	},
	{
		title: 'Customer Onboarding',
		description: 'The first hour with the product.',
		tags: ['customers'],
		form: [...defaultForm, company],
		sessions: [
			{ name: 'Weekly class', timezone: 'Europe/London', days: 0, status: 'live' },
			{ name: 'Weekly class', timezone: 'Europe/London', days: 14, status: 'upcoming' },
		],
	},
	{
		title: 'State of the Industry 2026',
		description: 'Five guests, one hour, many numbers.',
		tags: ['research'],
		form: defaultForm,
		sessions: [
			{ name: null, timezone: 'Etc/UTC', days: -30, status: 'past' },
			{ name: 'Second run', timezone: 'Asia/Tokyo', days: 21, status: 'canceled' },
		],
	},
	{
		title: 'Getting Started on Demand',
		description: 'A recording to watch at any time.',
		tags: ['product'],
		form: defaultForm,
		sessions: [{ name: null, timezone: 'Etc/UTC', days: -60, status: 'on_demand' }],
	},
	{
		title: 'Partner Summit',
		description: 'Still being planned.',
		draft: true,
		tags: [],
		form: [...defaultForm, company],
		sessions: [{ name: 'Day one', timezone: 'Europe/Paris', days: 90, status: 'upcoming' }],
	},
	{
		title: 'Breakfast Talk',
		description: 'Nobody came to start it.',
		tags: [],
		form: defaultForm,
		sessions: [{ name: null, timezone: 'Europe/Berlin', days: -3, status: 'past_not_started' }],
	},
];
