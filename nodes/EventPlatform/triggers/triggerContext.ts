import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { ProcessMap } from '../core/values/processState';

/* What n8n hands to a trigger each time that it calls one: which trigger it is, and its log. */

export type Context = IHookFunctions | IWebhookFunctions | IPollFunctions;

/** A test in the editor shares nothing with the trigger in use. */
export function triggerKey(context: Context, isTest = context.getMode() === 'manual'): string {
	const use = isTest ? 'test' : '';
	return `${context.getWorkflow().id ?? ''} ${context.getNode().id} ${use}`;
}

/** n8n activates the trigger because a process has started, or has taken over from another one. Nobody has chosen anything. */
export function isStartOfN8n(context: IHookFunctions | IPollFunctions): boolean {
	const mode = context.getActivationMode();
	return mode === 'init' || mode === 'leadershipChange';
}

const loggedOnce = new ProcessMap<true>('loggedOnce');

/** Writes to the log what each further poll or delivery would say again. `topic`: what tells it from the rest that this trigger says. */
export function logOnce(
	context: Context,
	level: 'info' | 'warn',
	{ topic, text }: { topic: string; text: string },
): void {
	const key = `${triggerKey(context)} ${topic}`;
	if (loggedOnce.has(key)) return;
	loggedOnce.set(key, true);
	context.logger[level](text);
}
