import type { IExecuteFunctions, IGetNodeParameterOptions } from 'n8n-workflow';
import { isObject } from '../core/http/json';

/**
 * The parameters of a node as n8n gives them. n8n takes 10 µs and more for each of every item, also for one without an
 * expression, which is the same for all items: that one is asked for once.
 */
export class Given {
	private readonly same = new Map<string, unknown>();

	/** As they are saved with the workflow: n8n copies them for each who asks. */
	private readonly saved: unknown;

	constructor(private readonly context: IExecuteFunctions) {
		this.saved = context.getNode().parameters;
	}

	/** The fallback of a name is always the same. */
	value(
		name: string,
		itemIndex: number,
		fallback: unknown,
		options?: IGetNodeParameterOptions,
	): unknown {
		const key = options ? `${name} ${Object.keys(options).join()}` : name;
		if (this.same.has(key)) return this.same.get(key);
		const value: unknown = this.context.getNodeParameter(name, itemIndex, fallback, options);
		let { saved } = this;
		for (const part of name.split('.')) saved = isObject(saved) ? saved[part] : undefined;
		if (!hasExpression(saved)) this.same.set(key, value);
		return value;
	}
}

function hasExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	if (typeof saved !== 'object' || saved === null) return false;
	return Object.values(saved).some(hasExpression);
}
