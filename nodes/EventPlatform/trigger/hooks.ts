import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import { credentialType } from '../n8n/authentication';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { apiRoot } from '../core/http/baseUrl';
import { asFailure, Failure } from '../core/http/failure';
import type { Api } from '../core/http/ports';
import { kindOf } from '../core/deliveries/kinds';
import type { Ours } from '../core/deliveries/subscriptions';
import { howToBeReachable, isOutOfReach, unreachable } from './address';
import { readKinds, readSettings, urlOf } from './settings';
import { storedOf } from './stored';
import { isManual, look, readOurs, removeAll, subscribeTo } from './subscription';

/** On activation and at each start of n8n: whether all that is wanted is subscribed. */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	await checkSettings(context);
	if (isManual(context)) return true;
	return await explained(context, async () => {
		const { api } = await connect(context);
		const missing = await look(context, api, await readOurs(context, urlOf(context)));
		return missing.length === 0;
	});
}

/** After `checkExists` found something missing: subscribes to that. All succeed, or none stays. */
export async function create(context: IHookFunctions): Promise<boolean> {
	await checkSettings(context);
	if (isManual(context)) return true;
	return await explained(context, async () => {
		const { api } = await connect(context);
		const url = urlOf(context);
		let isComplete = false;
		try {
			await subscribeTo(context, api, await readOurs(context, url), readKinds(context));
			isComplete = true;
		} finally {
			if (!isComplete) await withdraw(context, api, await readOurs(context, url));
		}
		const obstacle = unreachable(url);
		if (obstacle) {
			context.logger.warn(`No delivery may ever reach ${url}: ${obstacle}. ${howToBeReachable}`);
		}
		return true;
	});
}

/** One subscription may have been made whose answer got lost: our key finds it. */
async function withdraw(context: IHookFunctions, api: Api, ours: Ours): Promise<void> {
	delete storedOf(context).subscription;
	await removeAll(api, ours).catch((error: unknown) => {
		// Why the activation failed is the better thing to tell; the next one finds these by the key.
		const reason = asFailure(error).message;
		context.logger.warn(`Subscriptions of an activation that failed remain: ${reason}`);
	});
}

/** On deactivation. Subscriptions made before Subscription was set to Manual go as well. */
export async function remove(context: IHookFunctions): Promise<boolean> {
	if (isManual(context) && storedOf(context).subscription === undefined) return true;
	return await explained(context, async () => {
		const { api } = await connect(context);
		await removeAll(api, await readOurs(context, urlOf(context)));
		delete storedOf(context).subscription;
		return true;
	});
}

/** What cannot work is told when the workflow is activated, not when the first delivery is lost. */
async function checkSettings(context: IHookFunctions): Promise<void> {
	const { kinds, verify, secret, key } = await readSettings(context);
	const refuse = (message: string, description: string): never => {
		throw new NodeOperationError(context.getNode(), message, { description });
	};
	if (kinds.length === 0) refuse('No event is chosen', 'Choose at least one under Events.');
	if (verify === 'signature' && secret === '') {
		refuse(
			'There is no secret to check signatures with',
			'Enter the Webhook Signing Secret in the credential, or choose another way under Verify.',
		);
	}
	const { baseUrl } = await context.getCredentials(credentialType(context));
	const url = urlOf(context);
	if (!isManual(context) && isOutOfReach(url, apiRoot(baseUrl))) {
		refuse(`The platform cannot reach ${url}: ${unreachable(url)}`, howToBeReachable);
	}
	const hasKey = verify === 'auto' && key !== undefined && !isManual(context);
	const needsApi = verify === 'api' || (verify === 'auto' && secret === '' && !hasKey);
	const unknown = kinds.filter((kind) => kindOf(kind).subject === undefined);
	if (needsApi && unknown.length > 0) {
		refuse(
			`The platform's API cannot confirm ${unknown.join(', ')}`,
			'It shows jobs, people, sessions and events. Choose Signature under Verify, or None to believe anyone.',
		);
	}
}

/** In words for people; n8n shows the message when an activation fails. */
async function explained<Result>(
	context: IHookFunctions,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		throw isRefusedUrl(error, context)
			? refusedUrl(context, error)
			: toNodeError(context.getNode(), error, { what: 'the webhook', scope: 'webhooks' });
	}
}

/** With words about the address, or without any where nobody could deliver to it. */
function isRefusedUrl(error: unknown, context: IHookFunctions): error is Failure {
	if (!(error instanceof Failure) || error.request.method !== 'POST') return false;
	if (error.status !== 400 && error.status !== 422) return false;
	const words = error.errors.map(({ title, detail }) => `${title} ${detail}`).join(' ');
	if (/url|https|address|host/i.test(words)) return true;
	return !error.errors.some(({ detail }) => detail) && unreachable(urlOf(context)) !== undefined;
}

function refusedUrl(context: IHookFunctions, failure: Failure): Error {
	const url = urlOf(context);
	const error = toNodeError(context.getNode(), failure);
	error.message = `The platform refuses to deliver to ${url}`;
	const obstacle = unreachable(url);
	if (obstacle !== undefined) error.message += `: ${obstacle}`;
	error.description = `${error.description ?? ''} ${howToBeReachable}`.trim();
	return error;
}
