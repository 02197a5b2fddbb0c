import type { ApiResponse } from '../nodes/EventPlatform/core/client/request';
import type { Words } from './words';

export interface Answered extends ApiResponse {
	operation: string;
	/** Nothing in it asks to be refused: a success is promised. */
	plain: boolean;
	/** The time of the answer by the machine's clock. */
	at: number;
}

export type Exchange = Answered | { lost: string; operation: string };

/** Everything that was answered, by the name of the request, and why something was not asked. */
export class Seen {
	private readonly answers = new Map<string, Exchange>();
	private readonly reasons = new Map<string, Words>();

	add(name: string, exchange: Exchange): void {
		this.answers.set(name, exchange);
	}

	skip(name: string, why: Words): void {
		if (!this.answers.has(name)) this.reasons.set(name, why);
	}

	get(name: string): Exchange | undefined {
		return this.answers.get(name);
	}

	why(name: string): Words | undefined {
		return this.reasons.get(name) ?? this.reasons.get('everything');
	}

	/** Gives all answers in the order of their requests. */
	all(): Answered[] {
		return [...this.answers.values()].filter(
			(exchange): exchange is Answered => 'status' in exchange,
		);
	}

	/** The name of the first request that shows what an operation promises. */
	plainOf(operation: string): string | undefined {
		const entry = [...this.answers].find(
			([, exchange]) => exchange.operation === operation && ('lost' in exchange || exchange.plain),
		);
		return entry?.[0];
	}
}

/** The media type of an answer, without its parameters. */
export function typeOf({ headers }: Pick<ApiResponse, 'headers'>): string {
	return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
