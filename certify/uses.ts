/** What in the connector relies on a statement: a feature in words, and its files below nodes/EventPlatform. */
export const uses = {
	token: ['Both credentials, and every request', 'n8n/send.ts', 'core/failures/credentialCheck.ts'],
	errors: [
		'Error messages, and what is decided by them',
		'core/client/pages.ts',
		'core/client/errorBody.ts',
	],
	paging: ['Every list, with "Return All" and with a limit', 'core/client/pages.ts'],
	records: [
		'Simplified output and the previews in the editor',
		'core/records/simplify.ts',
		'actions/records.ts',
	],
	form: ['The columns of a registration form', 'form/formCache.ts'],
	filters: ['Filters of the lists', 'fields/itemParameters.ts', 'actions/records.ts'],
	search: ['The searchable lists of the editor', 'editor/index.ts'],
	who: ['Registrations found by email', 'actions/registration/index.ts'],
	polling: [
		'The polling trigger, and what the webhook trigger catches up',
		'core/polling/newEvents.ts',
		'core/polling/lists.ts',
	],
	pace: ['The pace of all requests', 'core/client/limiter.ts', 'core/client/quota.ts'],
	month: ['Get Usage, and the reserve of the month', 'core/client/month.ts', 'actions/account.ts'],
	single: ['Register', 'actions/registration/index.ts', 'core/people/alreadyRegistered.ts'],
	update: [
		'Update a registration, and Sync',
		'actions/registration/index.ts',
		'core/people/amend.ts',
		'core/sync/steps.ts',
	],
	unregister: ['Unregister, and Sync', 'actions/registration/index.ts', 'core/sync/run.ts'],
	submit: ['Bulk registration: what is sent', 'core/bulk/submit.ts', 'core/bulk/plan.ts'],
	jobs: ['The state of a job', 'core/jobs/jobState.ts'],
	results: [
		'Whose the results of a job are',
		'core/jobs/taskResult.ts',
		'core/jobs/assign.ts',
		'core/bulk/job.ts',
	],
	subscriptions: [
		'The subscription of the trigger',
		'core/webhooks/subscriptions.ts',
		'core/webhooks/subscriptionKey.ts',
	],
	deliveries: ['The webhook trigger', 'core/events/delivery.ts', 'core/webhooks/receive.ts'],
	signature: ['The signature of a delivery', 'core/webhooks/signature.ts'],
	recordings: [
		'Recordings and their download',
		'actions/session/downloadRecording.ts',
		'core/files/transfer.ts',
	],
	content: ['Questions, chat messages and recordings of a session', 'actions/records.ts'],
	account: ['The account operations', 'actions/account.ts'],
	manage: [
		'Creating, changing and deleting events and sessions',
		'actions/event.ts',
		'actions/session/index.ts',
	],
	team: ['The users of the workspace', 'actions/user.ts'],
} as const satisfies Record<string, readonly [feature: string, ...files: string[]]>;

export type Use = keyof typeof uses;
