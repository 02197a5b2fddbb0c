import { defaultsOf, type SandboxOptions, traitNames, type World } from '../options';
import type { Platform } from '../platform';

/** A button that changes the platform until it is pressed again. */
export interface Switch {
	title: string;
	words: string;
	isOn(platform: Platform): boolean;
	turn(platform: Platform, on: boolean, atStart: SandboxOptions): void;
}

const slowAnswerMs = 3_000;
/** A request holds at most fifty people, who take a minute then. */
const slowTaskMs = 1_200;

const ofWorkspace = (name: 'blocked' | 'allowanceSpent' | 'monthSpent' | 'down') => ({
	isOn: ({ workspace }: Platform) => workspace[name],
	turn: ({ workspace }: Platform, on: boolean) => void (workspace[name] = on),
});

const ofOption = (name: 'taskMs' | 'latencyMs', value: number) => ({
	isOn: ({ options }: Platform) => options[name] === value,
	turn({ options }: Platform, on: boolean, atStart: SandboxOptions) {
		options[name] = on ? value : atStart[name];
	},
});

const ofWorld = (world: World) => ({
	isOn: ({ options }: Platform) => options.world === world,
	turn({ options }: Platform, on: boolean) {
		const defaults = defaultsOf(on ? world : 'specification');
		for (const name of ['world', ...traitNames] as const) {
			Object.assign(options, { [name]: defaults[name] });
		}
	},
});

export const switches: Record<string, Switch> = {
	minute: {
		title: 'Jobs take a minute',
		words: 'A bulk registration of 50 people takes a minute.',
		...ofOption('taskMs', slowTaskMs),
	},
	slow: {
		title: 'Slow',
		words: `Every answer takes ${slowAnswerMs / 1000} seconds.`,
		...ofOption('latencyMs', slowAnswerMs),
	},
	down: {
		title: 'Down',
		words: 'Every request is answered with 503, in HTML.',
		...ofWorkspace('down'),
	},
	month: {
		title: 'Month used up',
		words: 'Every request is answered with 429 until the next month.',
		...ofWorkspace('monthSpent'),
	},
	allowance: {
		title: 'No more contacts',
		words: 'The allowance is used up. Registrations are answered with 402.',
		...ofWorkspace('allowanceSpent'),
	},
	blocked: {
		title: 'Blocked workspace',
		words: 'Every request is answered with 403.',
		...ofWorkspace('blocked'),
	},
	exact: {
		title: 'Strict API',
		words: 'Only documented fields work: others are refused, or left out of records.',
		...ofWorld('exact'),
	},
	wild: {
		title: 'API variants',
		words: 'The API differs from its documentation in ways that real clients have met.',
		...ofWorld('wild'),
	},
	publicEvent: {
		title: 'Public events',
		words: 'Forms do not ask for the email. Everybody who registers gets an email that is made up.',
		isOn: ({ options }) => options.publicEvent,
		turn: ({ options }, on) => void (options.publicEvent = on),
	},
};
