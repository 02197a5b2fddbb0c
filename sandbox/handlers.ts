import { jobHandlers } from './jobs/handlers';
import type { Processing } from './jobs/processing';
import { changingWhileRead } from './listChanges';
import { accountHandlers } from './records/account';
import { attributeHandlers } from './records/attributes';
import { eventHandlers } from './records/events';
import type { Handler } from './records/handler';
import { peopleHandlers } from './records/people';
import { sessionContentHandlers } from './records/sessionContent';
import { sessionHandlers } from './records/sessions';
import { tagHandlers } from './records/tags';
import { userHandlers } from './records/users';
import { webhookHandlers } from './records/webhooks';
import { registrationHandlers } from './registration/handlers';

/** Gives the handler of each operation of the contract, by its operationId. */
export function createHandlers(processing: Processing): Record<string, Handler> {
	return {
		...accountHandlers,
		...eventHandlers,
		...tagHandlers,
		...sessionHandlers,
		...sessionContentHandlers,
		...peopleHandlers,
		listSessionPeople: changingWhileRead(peopleHandlers.listSessionPeople),
		...attributeHandlers,
		...registrationHandlers,
		...jobHandlers(processing),
		...userHandlers,
		...webhookHandlers,
	};
}
