import type { INodeParameters, INodeType } from 'n8n-workflow';
import type { SandboxOptions } from '../../../sandbox/options';
import { sandboxForTests, type TestSandbox } from '../platform/sandbox';
import { upcomingSession } from '../platform/seededIds';
import { WebhookHost, type HostOptions } from './webhookHost';
import { loadFreshNode } from './freshModule';

/** A job.ended as the specification has it. */
export const claim = (id: string) => ({ type: 'jobs', id, attributes: { status: 'ended' } });

/** A sandbox for the tests of a file, and what is asked of it again and again. */
export class TriggerScene {
	private current?: TestSandbox;
	private people = 0;

	/** `file`: the sandbox is not emptied before each test. */
	constructor(options: Partial<SandboxOptions> = {}, lasts: 'test' | 'file' = 'test') {
		beforeAll(async () => {
			// Fast, and said so: the connector keeps to the limit that it is told.
			this.current = await sandboxForTests({ rate: 10_000, ...options });
		});
		if (lasts === 'test') beforeEach(() => this.sandbox.reset());
	}

	get sandbox(): TestSandbox {
		if (!this.current) throw new Error('The sandbox has not been started yet');
		return this.current;
	}

	/** A trigger that is not active yet. */
	start(parameters?: INodeParameters, more?: HostOptions): Promise<WebhookHost> {
		return WebhookHost.start(this.sandbox, { parameters, ...more });
	}

	/** A trigger that is active. */
	async listen(parameters?: INodeParameters, more?: HostOptions): Promise<WebhookHost> {
		const host = await this.start(parameters, more);
		await host.activate();
		return host;
	}

	/** Registers people in bulk; the id of the job. */
	startJob(emails = [`person-${++this.people}@example.org`]): Promise<string> {
		return this.sandbox.startJob(emails);
	}

	/** A job that is over. */
	async endedJob(): Promise<string> {
		const id = await this.startJob();
		await this.sandbox.jobEnd(id);
		return id;
	}

	/** Gives the requests to the API since the sandbox was reset, or those of this work. */
	async calls(work?: () => Promise<unknown>): Promise<string[]> {
		const before = work ? (await this.sandbox.requests()).length : 0;
		await work?.();
		const all = await this.sandbox.requests();
		return all.slice(before).map(({ method, path }) => `${method} ${path}`);
	}

	/** The requests that looked up what a delivery says. */
	async confirmations(): Promise<string[]> {
		const lookup = /^GET (\/v1\/(jobs|sessions|people|events)\/.*)$/;
		return (await this.calls()).flatMap((call) => lookup.exec(call)?.[1] ?? []);
	}

	/** The platform delivers once more what it delivered first. */
	async redeliver(): Promise<void> {
		const [first] = await this.sandbox.deliveries();
		await this.sandbox.redeliver(first?.id);
	}

	/** A session starts or ends. */
	async session(step: 'start' | 'end', id = upcomingSession): Promise<void> {
		await this.sandbox.web.post(`/_sandbox/sessions/${id}/${step}`, {});
	}

	subscriptions() {
		return this.sandbox.subscriptions();
	}

	/** The platform gives all of them up. */
	async loseSubscriptions(): Promise<void> {
		for (const { id } of await this.subscriptions()) {
			await this.sandbox.api.delete(`/webhooks/${id}`);
		}
	}

	/** The event types subscribed for this address, each with a key of ours in its URL. */
	async eventTypesOf(url: string): Promise<string[]> {
		const isOurs = /^\?key=[\w-]{43}$/;
		const ours = (await this.subscriptions()).filter((subscription) =>
			isOurs.test(subscription.url.replace(url, '')),
		);
		return ours.map(({ event }) => event).sort();
	}
}

/** A copy of the node that knows nothing of what the other has seen. */
export function restartedNode(): INodeType {
	return new (loadFreshNode('EventPlatformTrigger'))();
}
