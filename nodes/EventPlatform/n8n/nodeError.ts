import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { chosenCredential } from './authentication';
import { Cancelled } from '../core/client/clock';
import { Failure } from '../core/client/failure';
import { excerpt } from '../core/values/text';
import { failureText, type About, type FailureText } from '../core/failures/messages';
import { namePlatform } from '../core/failures/platformName';

/** The errors that n8n shows with their description. */
export type ShownError = NodeApiError | NodeOperationError;

/** What an error is about, and the API that the credential of the node leads to, as far as it is known. */
type AboutNode = About & { itemIndex?: number; apiRoot?: string };

/** Makes an error that n8n shows, without secrets. A cancel is thrown again, because n8n recognises by its name that the run has not failed. */
export function toNodeError(
	node: INode,
	error: unknown,
	{ itemIndex, apiRoot, ...about }: AboutNode = {},
): ShownError {
	if (error instanceof Cancelled) throw error;
	const { title, description } =
		error instanceof Failure
			? failureText(error, { credential: chosenCredential(node), ...about })
			: textOfError(error);
	const shown = (text: string) => excerpt(namePlatform(text, apiRoot), longestText);
	const message = shown(title);
	const nodeError = isShownError(error) ? error : newError(node, error, message, itemIndex);
	// An error of n8n itself has its own text, and n8n's constructors replace one that contains a word like EPERM.
	nodeError.message = message;
	nodeError.description = description && shown(description);
	nodeError.messages = nodeError.messages.map(shown);
	nodeError.context.itemIndex ??= itemIndex;
	return nodeError;
}

/**
 * Makes an error that ends an activation or a deactivation. n8n shows only the message of most such errors, and writes nothing
 * else to its log when it starts, so the message also says what to do.
 */
export function toActivationError(node: INode, error: unknown, about?: AboutNode): ShownError {
	const nodeError = toNodeError(node, error, about);
	if (!nodeError.description) return nodeError;
	nodeError.message = excerpt(
		`${nodeError.message.replace(/\.$/, '')}. ${nodeError.description}`,
		longestText,
	);
	// Where n8n shows the description as well, it would stand there twice.
	nodeError.description = undefined;
	return nodeError;
}

/** n8n hands back the same error when one of its own is wrapped again, so that one has to be changed itself. */
function isShownError(error: unknown): error is ShownError {
	return error instanceof NodeApiError || error instanceof NodeOperationError;
}

function newError(node: INode, error: unknown, message: string, itemIndex?: number): ShownError {
	if (!(error instanceof Failure)) return new NodeOperationError(node, message, { itemIndex });
	return new NodeApiError(node, { message }, { httpCode: error.status?.toString(), itemIndex });
}

/** n8n's errors about expressions say what is wrong in their description. */
function textOfError(error: unknown): Partial<FailureText> & Pick<FailureText, 'title'> {
	if (!(error instanceof Error)) return { title: String(error) };
	const { message: title, description } = error as Error & { description?: unknown };
	return { title, description: typeof description === 'string' ? description : undefined };
}

/** The most characters in a text of an error, which has room for ten errors of the platform. */
const longestText = 4_000;
