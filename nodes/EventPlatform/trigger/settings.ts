import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { text } from '../core/http/text';
import { credentialType } from '../n8n/authentication';
import type { Output } from '../core/deliveries/output';
import type { Settings } from '../core/deliveries/receive';

type Context = IHookFunctions | IWebhookFunctions;

/** What the person chose, as far as deliveries depend on it. */
export async function readSettings(context: Context): Promise<Settings> {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const verify = context.getNodeParameter('verify', 'api') as Settings['verify'];
	return {
		kinds: readKinds(context),
		verify,
		secret: verify === 'signature' ? await readSecret(context) : '',
		filters: {
			jobIds: readNames(options.jobIds),
			onlyWithFailures: options.onlyWithFailures === true,
			sessionId: text(options.sessionId).trim(),
			eventId: text(options.eventId).trim(),
		},
		output: context.getNodeParameter('output', 'job') as Output,
		deduplicate: options.deduplicate !== false,
		confirmationsPerMinute: atLeastOne(options.confirmationsPerMinute) ?? 120,
	};
}

export function readKinds(context: Context): string[] {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const selected = readNames(context.getNodeParameter('events', []));
	return [...new Set([...selected, ...readNames(options.otherEvents)])];
}

/** The secret is part of the credential, so that it is encrypted and no export of a workflow has it. */
async function readSecret(context: Context): Promise<string> {
	const credential = await context.getCredentials(credentialType(context));
	return text(credential.webhookSecret).trim();
}

function atLeastOne(value: unknown): number | undefined {
	return typeof value === 'number' && value >= 1 ? value : undefined;
}

/** Ids or kinds as people give them: a list, or a text with commas or line breaks. */
export function readNames(given: unknown): string[] {
	const parts: unknown[] = Array.isArray(given) ? given : [given];
	return parts
		.flatMap((part) => (typeof part === 'string' || typeof part === 'number' ? String(part) : ''))
		.flatMap((text) => text.split(/[\s,;]+/))
		.filter((name) => name !== '');
}
