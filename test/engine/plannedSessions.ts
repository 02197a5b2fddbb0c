import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { PollingHost, SimulatedTime } from '../support/n8n/pollingHost';
import type { TriggerScene } from '../support/n8n/triggerScene';
import { seededId } from '../../sandbox/seed/ids';
import { upcomingSession } from '../support/platform/seededIds';
import { hourMs, minuteMs } from '../support/time/units';

interface Attributes extends IDataObject {
	name?: string | null;
	timezone?: string;
}

/** Sessions that are planned on the sandbox, triggers of the clock, and time that passes for both. */
export class PlannedSessions {
	readonly time = new SimulatedTime();

	constructor(private readonly scene: TriggerScene) {}

	/** Plans a session; gives its id. Undefined: it has no date. */
	async plan(minutesAhead?: number, attributes: Attributes = {}, event = ''): Promise<string> {
		const path = `/events/${event || (await this.eventOf(upcomingSession))}/sessions`;
		const start = minutesAhead === undefined ? {} : startIn(minutesAhead);
		const data = { type: 'sessions', attributes: { name: 'Planned', ...start, ...attributes } };
		const answer = await this.scene.sandbox.api.post<{ data: { id: string } }>(path, { data });
		return answer.data.data.id;
	}

	/** Plans so many sessions, the first in two hours, each so many minutes after the one before. */
	planMany(count: number, apartMinutes: number): void {
		const { platform } = this.scene.sandbox;
		const columns = platform.store.get('SELECT * FROM sessions WHERE id = ?', upcomingSession);
		const inTwoHours = Math.floor(Date.now() / 1_000) + hours(2) * 60;
		for (let nth = 0; nth < count; nth++) {
			platform.store.insert('sessions', {
				...columns,
				seq: 1_000 + nth,
				id: seededId('session', 1_000 + nth),
				estimated_started_at: inTwoHours + nth * apartMinutes * 60,
			});
		}
	}

	/** Changes a session as its host does. */
	async change(id: string, attributes: Attributes): Promise<void> {
		const data = { type: 'sessions', id, attributes };
		const { status } = await this.scene.sandbox.api.patch(`/sessions/${id}`, { data });
		expect(status).toBe(200);
	}

	async move(id: string, minutesAhead: number): Promise<void> {
		await this.change(id, startIn(minutesAhead));
	}

	async set(id: string, step: 'start' | 'end' | 'cancel' | 'reopen'): Promise<void> {
		await this.scene.sandbox.web.post(`/_sandbox/sessions/${id}/${step}`, {});
	}

	/** An active trigger of these events, in a process of its own. */
	async activated(event: string, parameters: INodeParameters = {}): Promise<PollingHost> {
		const host = new PollingHost(this.scene.sandbox, { events: [event], ...parameters });
		host.startProcess();
		await host.activate();
		return host;
	}

	/** n8n polls every minute, for so many minutes. Gives the items of that time. */
	async pollFor(host: PollingHost, minutes: number): Promise<IDataObject[]> {
		const before = host.items.length;
		for (let minute = 0; minute < minutes; minute++) {
			this.time.passMinutes(1);
			await host.poll();
		}
		return host.items.slice(before);
	}

	/** n8n polls every minute until it is so, also after a poll that fails because its time ends. How many polls that takes depends on the machine. */
	async pollUntil(host: PollingHost, isSo: () => boolean): Promise<void> {
		for (let minute = 0; minute < 30 && !isSo(); minute++) {
			this.time.passMinutes(1);
			await host.poll().catch(() => undefined);
		}
	}

	private async eventOf(id: string): Promise<string> {
		const { data } = await this.scene.sandbox.api.get<{
			data: { attributes: { event_id: string } };
		}>(`/sessions/${id}`);
		return data.data.attributes.event_id;
	}
}

export const leads = (...lead: Array<[amount: number, unit: string]>): INodeParameters => ({
	leadTimes: { lead: lead.map(([amount, unit]) => ({ amount, unit })) },
});

/** To the minute, as people plan it. */
function startIn(minutes: number) {
	const startMs = Math.floor(Date.now() / minuteMs) * minuteMs + minutes * minuteMs;
	return { estimated_started_at: new Date(startMs).toISOString() };
}

export const hours = (count: number) => (count * hourMs) / minuteMs;
