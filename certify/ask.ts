import { createClient } from '../nodes/EventPlatform/core/client/client';
import { Cancelled } from '../nodes/EventPlatform/core/client/cancelled';
import { Failure } from '../nodes/EventPlatform/core/client/failure';
import type {
	ApiResponse,
	Client,
	ApiRequest,
	LostConnection,
	SendOnce,
} from '../nodes/EventPlatform/core/client/request';
import type { Clock } from '../nodes/EventPlatform/core/client/clock';
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
	/** Requests that may be sent in all; it grows when what was made is removed. */
	most: number;
	/** Refuses what may not leave. */
	guard(request: ApiRequest): void;
	onRequest?: (spent: number, monthlyRemaining?: number) => void;
}

export interface Question extends ApiRequest {
	/** The operation of the contract that it shows. */
	operation: string;
	/** It is meant to be refused, or asks for something odd. */
	odd?: boolean;
	/** Instead of the usual header; null: none. */
	authorization?: string | null;
}

/** Asks by name, through the connector's own queue and repetition, and remembers every answer. */
export class Asker {
	readonly seen = new Seen();
	spent = 0;
	private failures = 0;
	private readonly api: Client;
	private readonly send: SendOnce;
	private readonly last = new WeakMap<ApiRequest, ApiResponse | LostConnection>();

	constructor(readonly parts: AskParts) {
		const { send, clock, queue, guard, onRequest } = parts;
		this.send = async (request) => {
			if (parts.signal.aborted) throw new Cancelled();
			guard(request);
			if (this.spent >= parts.most)
				throw new Ended(words`the requests that were agreed to are used up`);
			this.spent++;
			const own = (request as Question).authorization;
			const header = own === undefined ? parts.authorization : (own ?? undefined);
			const answer = await send(request, header, parts.signal);
			if (parts.signal.aborted) throw new Cancelled();
			this.last.set(request, answer);
			onRequest?.(this.spent, this.usage.monthlyRemaining);
			return answer;
		};
		this.api = createClient({
			clock,
			queue,
			signal: parts.signal,
			send: this.send,
		});
	}

	get usage(): Usage {
		return this.api.usage;
	}

	/** Gives the answer to a question, whatever it is. The same name is asked only once. */
	async ask(name: string, question: Question): Promise<Exchange> {
		const earlier = this.seen.get(name);
		if (earlier) return earlier;
		const exchange = await this.again(question);
		this.seen.add(name, exchange);
		return exchange;
	}

	/** Past the queue, once: to see how the limiter counts. */
	async unpaced(name: string, question: Question): Promise<Exchange> {
		const answer = await this.send(question);
		const { operation } = question;
		const at = this.parts.clock.now();
		const exchange =
			'lost' in answer
				? { lost: answer.lost, operation }
				: { ...answer, operation, plain: false, at };
		this.seen.add(name, exchange);
		return exchange;
	}

	/** The same without a name: what it says is no statement. */
	async again(question: Question): Promise<Exchange> {
		try {
			await this.api(question);
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
			if (error.cause === 'quota_spent') throw new Ended(words`the month's requests are used up`);
			if (!this.last.has(question)) throw new Ended(words`the platform asks to wait too long`);
		}
		const answer = this.last.get(question) ?? { lost: 'nothing' };
		this.count(answer);
		if ('lost' in answer) return { lost: answer.lost, operation: question.operation };
		const { operation, odd = false } = question;
		return { ...answer, operation, plain: !odd, at: Date.now() };
	}

	/** A platform that answers nothing of use is left alone. */
	private count(answer: ApiResponse | { lost: string }): void {
		const isFailure = 'lost' in answer || answer.status >= 500 || answer.status === 429;
		this.failures = isFailure ? this.failures + 1 : 0;
		if (this.failures < mostFailures) return;
		this.failures = 0;
		throw new Ended(words`${mostFailures} requests in a row came to nothing`);
	}
}

const mostFailures = 4;
