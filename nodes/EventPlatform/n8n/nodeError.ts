import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { Cancelled, Failure } from '../core/http/failure';
import { failureText, type About } from '../core/failures/causes';
import { excerpt } from '../core/http/text';

export type Shown = NodeApiError | NodeOperationError | Cancelled;

export interface Where extends About {
	itemIndex?: number;
}

/**
 * Turns whatever was thrown into the error that n8n shows: never with a secret, always with its item.
 * A cancel stays one: by its name n8n knows that the run was stopped and has not failed.
 */
export function toNodeError(node: INode, error: Failure, where?: Where): NodeApiError;
export function toNodeError(node: INode, error: unknown, where?: Where): Shown;
export function toNodeError(
	node: INode,
	error: unknown,
	{ itemIndex, ...about }: Where = {},
): Shown {
	if (error instanceof Cancelled) return error;
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		// n8n hands back the same error when it is wrapped again, so it has to be changed itself.
		const { message, description } = error;
		return say(error, message, description ?? undefined, itemIndex);
	}
	if (error instanceof Failure) {
		const { title, description } = failureText(error, about);
		const status = error.status === undefined ? undefined : String(error.status);
		const shown = new NodeApiError(node, { message: title }, { httpCode: status, itemIndex });
		return say(shown, title, description, itemIndex);
	}
	const { message, description } = inWords(error);
	return say(
		new NodeOperationError(node, 'failed', { itemIndex }),
		message,
		description,
		itemIndex,
	);
}

/** n8n's errors about expressions and parameters say in their description what is wrong. */
function inWords(error: unknown): { message: string; description?: string } {
	if (!(error instanceof Error)) return { message: String(error) };
	const { description } = error as { description?: unknown };
	return {
		message: error.message,
		description: typeof description === 'string' ? description : undefined,
	};
}

/** Room for the ten errors of a platform, and for what people can be expected to read. */
const longest = 4_000;

/** Set afterwards, because n8n's own constructors replace any message that contains a word like EPERM. */
function say<E extends NodeApiError | NodeOperationError>(
	error: E,
	message: string,
	description: string | undefined,
	itemIndex: number | undefined,
): E {
	error.message = excerpt(message, longest);
	error.description = description === undefined ? undefined : excerpt(description, longest);
	error.messages = error.messages.map((text) => excerpt(text, longest));
	error.context.itemIndex ??= itemIndex;
	return error;
}
