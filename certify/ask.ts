import { createClient } from '../nodes/EventPlatform/core/client/client';
import { Cancelled, type Clock } from '../nodes/EventPlatform/core/client/clock';
import { Failure } from '../nodes/EventPlatform/core/client/failure';
import type {
	ApiResponse,
	Client,
	ApiRequest,
	NoResponse,
	SendOnce,
} from '../nodes/EventPlatform/core/client/request';
import type { Usage } from '../nodes/EventPlatform/core/client/usage';
import type { RequestQueue } from '../nodes/EventPlatform/core/client/requestQueue';
import { Seen, type Exchange } from './seen';
import type { SendAs } from './send';
import { words, type Words } from './words';

/** The run is over before its end; the words say why. What was seen until then is judged. */
export class Ended extends Error {
	override readonly name = 'Ended';
	constructor(readonly why: Words) {
		super(why);
	}
}

export interface AskParts {
	send: SendAs;
	authorization: string;
	clock: Clock;
	queue: RequestQueue;
	signal: AbortSignal;
	/** The number of requests that may be sent in all. */
	most: number;
	/** Refuses what may not leave. */
	guard(request: ApiRequest): void;
	onRequest?: (spent: number, monthlyRemaining?: number) => void;
}

export interface Question extends ApiRequest {
	/** The operation of the contract that it shows. */
	operation: string;
	/** Whether it is meant to be refused, or asks for something odd, so that no success is promised. */
	isOdd?: boolean;
	/** The usual header where this is absent. */
	authorization?: Authorization;
}

/** The Authorization header of a request: that of the run, none, or another one. */
export type Authorization = 'usual' | 'none' | { value: string };

/** Asks by name, through the connector's own queue and repetition, and remembers every exchange. */
export class Asker {
	readonly seen = new Seen();
	spent = 0;
	private failures = 0;
	private readonly client: Client;
	private readonly send: SendOnce;
	/** What came of the last attempt of each question. */
	private readonly lastOf = new WeakMap<ApiRequest, ApiResponse | NoResponse>();

	constructor(readonly parts: AskParts) {
		const { send, clock, queue, guard, onRequest } = parts;
		this.send = async (request) => {
			if (parts.signal.aborted) throw new Cancelled();
			guard(request);
			if (this.spent >= parts.most)
				throw new Ended(words`the requests that were agreed to are used up`);
			this.spent++;
			const response = await send(request, this.headerOf(request), parts.signal);
			if (parts.signal.aborted) throw new Cancelled();
			this.lastOf.set(request, response);
			onRequest?.(this.spent, this.usage.month.monthlyRemaining);
			return response;
		};
		this.client = createClient({
			clock,
			queue,
			signal: parts.signal,
			send: this.send,
		});
	}

	get usage(): Usage {
		return this.client.usage;
	}

	/** Gives what came of a question, whatever it is. The same name is asked only once. */
	async ask(name: string, question: Question): Promise<Exchange> {
		const earlier = this.seen.get(name);
		if (earlier) return earlier;
		const exchange = await this.askUnnamed(question);
		this.seen.add(name, exchange);
		return exchange;
	}

	/** Sends a question once and past the queue, to see how the limiter counts. */
	async askUnpaced(name: string, question: Question): Promise<Exchange> {
		const response = await this.send(question);
		const { operation } = question;
		const at = this.parts.clock.now();
		const exchange =
			'networkError' in response
				? { lost: response.networkError, operation }
				: { ...response, operation, isPlain: false, at };
		this.seen.add(name, exchange);
		return exchange;
	}

	/** Asks without a name, where no row judges what comes of it. */
	async askUnnamed(question: Question): Promise<Exchange> {
		try {
			await this.client.send(question);
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
			if (error.cause === 'quota_spent') throw new Ended(words`the month's requests are used up`);
			if (!this.lastOf.has(question)) throw new Ended(words`the platform asks to wait too long`);
		}
		const response = this.lastOf.get(question) ?? { networkError: 'nothing' };
		this.countFailures(response);
		const { operation, isOdd = false } = question;
		if ('networkError' in response) return { lost: response.networkError, operation };
		return { ...response, operation, isPlain: !isOdd, at: Date.now() };
	}

	private headerOf(request: ApiRequest): string | undefined {
		const { authorization = 'usual' } = request as Question;
		if (authorization === 'usual') return this.parts.authorization;
		return authorization === 'none' ? undefined : authorization.value;
	}

	/** Leaves a platform alone whose responses are of no use. */
	private countFailures(response: ApiResponse | Pick<NoResponse, 'networkError'>): void {
		const isFailure =
			'networkError' in response || response.status >= 500 || response.status === 429;
		this.failures = isFailure ? this.failures + 1 : 0;
		if (this.failures < mostFailures) return;
		this.failures = 0;
		throw new Ended(words`${mostFailures} requests in a row came to nothing`);
	}
}

const mostFailures = 4;
