import type { FastifyInstance } from 'fastify';
import { changeSession } from '../live';
import { html, type Markup } from '../oauth/html';
import { defaultsOf, type SandboxOptions, traitNames, type World } from '../options';
import type { Platform } from '../platform';
import { findEvent, findSession } from '../records/find';
import { sessionStatus } from '../records/sessionRecord';
import { Refusal, notFound } from '../refusal';
import { openSession, register } from '../registration/register';

/** What one presses: it happens once, and a sentence says what happened. */
interface Action {
	title: string;
	words: string;
	act(platform: Platform): string;
}

/** What one turns on, and off again. */
interface Switch {
	title: string;
	words: string;
	isOn(platform: Platform): boolean;
	turn(platform: Platform, on: boolean, atStart: SandboxOptions): void;
}

const slowAnswerMs = 3_000;
/** Fifty people, who are what a request holds at most, take a minute. */
const slowTaskMs = 1_200;
const refusals = 20;

const actions: Record<string, Action> = {
	register: {
		title: 'Register somebody',
		words: 'Somebody registers for the next session. people.registered is delivered.',
		act(platform) {
			const id = sessionThatIs(platform, 'upcoming');
			const session = openSession(platform, id);
			if ('code' in session) throw new Refusal(409, `${session.message}.`);
			const value = `visitor-${platform.now()}@example.net`;
			const names = { first_name: 'Vera', last_name: 'Visitor', company: 'Acme' };
			const fields = Object.entries({ email: value, ...names }).map(([id, value]) => ({
				id,
				value,
			}));
			const person = platform.store.transaction(() => register(platform, session, { fields }));
			// A public event makes another email up.
			const email = Array.isArray(person) ? value : String(person.attributes['email']);
			return `${email} is registered for ${titleOf(platform, id)}.`;
		},
	},
	start: {
		title: 'Start the next session',
		words: 'The session goes live. session.started is delivered.',
		act: (platform) => change(platform, 'upcoming', 'start', 'is live'),
	},
	end: {
		title: 'End the live session',
		words:
			'Two of three people have attended. session.ended and one delivery for each person follow.',
		act: (platform) => change(platform, 'live', 'end', 'has ended'),
	},
	refuse: {
		title: `Refuse ${refusals} requests`,
		words: 'The next requests are answered with 429 and can be repeated after a second.',
		act({ faults }) {
			faults.add([{ match: { path: '/v1/*' }, after: 0, times: refusals, do: '429' }]);
			return `The next ${refusals} requests are answered with 429.`;
		},
	},
	lose: {
		title: 'Lose an answer',
		words: 'The next registration (one person or in bulk) is made, but then the connection breaks.',
		act({ faults }) {
			const match = { method: 'POST', path: '/v1/sessions/:id/people*' };
			faults.add([{ match, after: 0, times: 1, do: 'reset-after' }]);
			return 'The answer to the next registration will be lost.';
		},
	},
	reset: {
		title: 'Start over',
		words: 'The sandbox is reset. Everything that you created here is deleted.',
		act(platform) {
			platform.reset();
			return 'Everything is as it was at the start.';
		},
	},
};

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
		const other = defaultsOf(on ? world : 'specification');
		for (const name of ['world', ...traitNames] as const) {
			Object.assign(options, { [name]: other[name] });
		}
	},
});

const switches: Record<string, Switch> = {
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
		title: 'Nothing more',
		words: 'What the specification does not name is refused, or left out of records.',
		...ofWorld('exact'),
	},
	wild: {
		title: 'Another platform',
		words: 'The platform differs from the specification in ways that real clients have met.',
		...ofWorld('wild'),
	},
	publicEvent: {
		title: 'Public events',
		words: 'Forms do not ask for the email. Whoever registers gets an email that is made up.',
		isOn: ({ options }) => options.publicEvent,
		turn: ({ options }, on) => void (options.publicEvent = on),
	},
};

/** What is on, and how many requests will still go wrong. */
export function cockpitView(platform: Platform) {
	const on = Object.entries(switches).filter(([, one]) => one.isOn(platform));
	return {
		on: on.map(([id, { title, words }]) => ({ id, title, words })),
		faults: platform.faults.left().reduce((sum, { times }) => sum + times, 0),
	};
}

export function cockpitMarkup(): Markup {
	const items = (of: Record<string, Action | Switch>, pressed: Markup) =>
		Object.entries(of).map(
			([id, { title, words }]) =>
				html`<li>
					<button type="button" data-try="${id}" aria-describedby="${id}-words" ${pressed}>
						${title}
					</button>
					<p id="${id}-words">${words}</p>
				</li>`,
		);
	return html`<h3>Let something happen</h3>
		<ul class="tries">
			${items(actions, html``)}
		</ul>
		<h3>Make it hard</h3>
		<ul class="tries">
			${items(switches, html`aria-pressed="false"`)}
		</ul>`;
}

/** Only the page itself may press: requests of other sites are refused before they come here. */
export function addCockpitRoutes(app: FastifyInstance, platform: Platform): void {
	const atStart = { ...platform.options };
	platform.onReset(() => {
		const { taskMs, latencyMs } = atStart;
		Object.assign(platform.options, { taskMs, latencyMs });
	});
	app.post<{ Params: { id: string } }>('/_sandbox/try/:id', ({ params: { id }, body }) => {
		const action = Object.hasOwn(actions, id) ? actions[id] : undefined;
		if (action) return { said: action.act(platform) };
		const found = Object.hasOwn(switches, id) ? switches[id] : undefined;
		if (!found) throw notFound('button', id);
		const on = (body as { on?: unknown } | null | undefined)?.on;
		if (typeof on !== 'boolean') throw new Refusal(400, 'Send {"on": true} or {"on": false}.');
		found.turn(platform, on, atStart);
		return { said: `${found.title}: ${on ? `on. ${found.words}` : 'off.'}` };
	});
}

function change(
	platform: Platform,
	from: 'upcoming' | 'live',
	to: 'start' | 'end',
	words: string,
): string {
	const id = sessionThatIs(platform, from);
	changeSession(platform, id, to);
	return `${titleOf(platform, id)} ${words}.`;
}

/** The one that is the next, or that has gone on the longest. */
function sessionThatIs({ store }: Platform, status: 'upcoming' | 'live'): string {
	const sql = `SELECT s.id FROM sessions s JOIN events e ON e.id = s.event_id
		WHERE ${sessionStatus} = ? ORDER BY s.estimated_started_at, s.seq LIMIT 1`;
	const row = store.get(sql, status);
	if (!row) throw new Refusal(409, `No session is ${status}. Start over to have one again.`);
	return String(row['id']);
}

function titleOf(platform: Platform, sessionId: string): string {
	const { event_id: eventId, name } = findSession(platform, sessionId);
	const { title } = findEvent(platform, String(eventId));
	return [title, name].filter(Boolean).join(', ');
}
