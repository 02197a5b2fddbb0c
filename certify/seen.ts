import type { ApiResponse } from '../nodes/EventPlatform/core/client/request';
import type { Words } from './words';

/** A response as it was seen, with what a row has to know of its request. */
export interface SeenResponse extends ApiResponse {
	/** The operation of the contract that was asked. */
	operation: string;
	/** Whether a success is promised, because nothing in the request asks to be refused. */
	isPlain: boolean;
	/** The time of the response by the machine's clock, in milliseconds. */
	at: number;
}

/** A request and what came of it: a response, or the way in which the connection was lost. */
export type Exchange = SeenResponse | { lost: string; operation: string };

/** Every exchange of a run, by the name of the request, and why something was not asked. */
export class Seen {
	private readonly exchanges = new Map<string, Exchange>();
	private readonly reasons = new Map<string, Words>();

	add(name: string, exchange: Exchange): void {
		this.exchanges.set(name, exchange);
	}

	skip(name: string, why: Words): void {
		if (!this.exchanges.has(name)) this.reasons.set(name, why);
	}

	get(name: string): Exchange | undefined {
		return this.exchanges.get(name);
	}

	why(name: string): Words | undefined {
		return this.reasons.get(name) ?? this.reasons.get('everything');
	}

	/** Gives all responses in the order of their requests. */
	all(): SeenResponse[] {
		return [...this.exchanges.values()].filter(
			(exchange): exchange is SeenResponse => 'status' in exchange,
		);
	}

	/** The name of the first request that shows what an operation promises. */
	plainOf(operation: string): string | undefined {
		const entry = [...this.exchanges].find(
			([, exchange]) =>
				exchange.operation === operation && ('lost' in exchange || exchange.isPlain),
		);
		return entry?.[0];
	}
}

/** The media type of a response, without its parameters. */
export function typeOf({ headers }: Pick<ApiResponse, 'headers'>): string {
	return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
