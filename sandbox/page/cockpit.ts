import type { FastifyInstance } from 'fastify';
import { html, type Markup } from '../oauth/html';
import type { Platform } from '../platform';
import { Refusal, notFound } from '../refusal';
import { actions, type Action } from './actions';
import { switches, type Switch } from './switches';

/** The changes that somebody has made to the platform. */
export interface CockpitView {
	/** The switches that are on. */
	on: { id: string; title: string; words: string }[];
	/** How many requests will still go wrong. */
	faults: number;
}

/** Gives the switches that are on, and how many requests will still go wrong. */
export function cockpitView(platform: Platform): CockpitView {
	const on = Object.entries(switches).filter(([, toggle]) => toggle.isOn(platform));
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
		if (action) return { message: action.act(platform) };
		const toggle = Object.hasOwn(switches, id) ? switches[id] : undefined;
		if (!toggle) throw notFound('button', id);
		const on = (body as { on?: unknown } | null | undefined)?.on;
		if (typeof on !== 'boolean') throw new Refusal(400, 'Send {"on": true} or {"on": false}.');
		toggle.turn(platform, on, atStart);
		return { message: `${toggle.title}: ${on ? `on. ${toggle.words}` : 'off.'}` };
	});
}
