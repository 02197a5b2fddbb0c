import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import type { SandboxOptions } from '../../sandbox/options';
import { sandboxForTests, type TestSandbox } from './sandbox';
import { WebhookHost, type HostOptions } from './webhooks';

export interface Subscription {
	id: string;
	attributes: { url: string; event: string };
}

export const unknownId = '00000000-0000-4000-8000-000000000000';

/** A job.ended as the specification has it. */
export const claim = (id: string, attributes: IDataObject = { status: 'ended' }) => ({
	type: 'jobs',
	id,
	attributes,
});

/** Another kind, as clients have seen it. */
export const envelope = (
	event: string,
	type: string,
	id: string,
	attributes: IDataObject = {},
) => ({
	data: { type, id, attributes, meta: { webhook: { event, organization_id: 'o-1' } } },
});

/** A sandbox for the tests of a file, empty before each, and what is asked of it again and again. */
export class TriggerScene {
	private current?: TestSandbox;
	private people = 0;

	constructor(options: Partial<SandboxOptions> = {}) {
		beforeAll(async () => {
			// Fast, and said so: the connector keeps to the limit that it is told.
			this.current = await sandboxForTests({ rate: 10_000, ...options });
		});
		beforeEach(() => this.sandbox.reset());
	}

	get sandbox(): TestSandbox {
		if (!this.current) throw new Error('The sandbox has not been started yet');
		return this.current;
	}

	/** A trigger that is not active yet. */
	start(parameters: INodeParameters = {}, more: HostOptions = {}): Promise<WebhookHost> {
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

	/** What was asked of the API since the sandbox was reset. */
	async calls(): Promise<string[]> {
		return (await this.sandbox.requests()).map(({ method, path }) => `${method} ${path}`);
	}

	/** The requests that looked up what a delivery says. */
	async confirmations(): Promise<string[]> {
		const lookup = /^GET (\/v1\/(jobs|sessions|people|events)\/.*)$/;
		return (await this.calls()).flatMap((call) => lookup.exec(call)?.[1] ?? []);
	}

	/** The id of the first delivery. */
	async firstDelivery(): Promise<string> {
		const { data } = await this.sandbox.web.get<{ id: string }[]>('/_sandbox/deliveries');
		return data[0]?.id ?? '';
	}

	async subscriptions(): Promise<Subscription[]> {
		const path = '/webhooks?page[size]=50';
		return (await this.sandbox.api.get<{ data: Subscription[] }>(path)).data.data;
	}

	/** The platform gives all of them up. */
	async loseSubscriptions(): Promise<void> {
		for (const { id } of await this.subscriptions()) {
			await this.sandbox.api.delete(`/webhooks/${id}`);
		}
	}

	/** The kinds subscribed for this address, each with a key of ours in its URL. */
	async kindsOf(url: string): Promise<string[]> {
		const ours = (await this.subscriptions()).filter(({ attributes }) =>
			/^\?key=[\w-]{43}$/.test(attributes.url.replace(url, '')),
		);
		return ours.map(({ attributes }) => attributes.event).sort();
	}

	subscribe(url: string, event: string): Promise<string> {
		return this.sandbox.subscribe(url, event);
	}
}

/** A copy of the node that knows nothing of what the other has seen. */
export function restartedNode(): INodeType {
	let node: INodeType | undefined;
	jest.isolateModules(() => {
		const path = '../../nodes/EventPlatform/EventPlatformTrigger.node';
		const { EventPlatformTrigger } = jest.requireActual<{
			EventPlatformTrigger: new () => INodeType;
		}>(path);
		node = new EventPlatformTrigger();
	});
	if (!node) throw new Error('The node could not be loaded again');
	return node;
}
