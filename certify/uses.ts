/** What in the connector relies on a statement: a feature in words, and its files below nodes/EventPlatform. */
export const uses = {
	token: [
		'Both credentials, and every request',
		'n8n/request.ts',
		'core/failures/credentialCheck.ts',
	],
	errors: [
		'Error messages, and what is decided by them',
		'core/http/jsonApi.ts',
		'core/http/failure.ts',
	],
	paging: ['Every list, with "Return All" and with a limit', 'core/http/jsonApi.ts'],
	records: [
		'Simplified output and the previews in the editor',
		'core/records/simplify.ts',
		'resources/records.ts',
	],
	form: ['The columns of a registration form', 'form/registrationForm.ts'],
	filters: ['Filters of the lists', 'parameters/read.ts', 'resources/records.ts'],
	search: ['The searchable lists of the editor', 'methods/index.ts'],
	who: ['Registrations found by email', 'resources/registration/index.ts'],
	polling: [
		'The polling trigger, and what the webhook trigger catches up',
		'core/deliveries/polling.ts',
		'core/deliveries/lists.ts',
	],
	pace: ['The pace of all requests', 'core/pace/limit.ts', 'core/http/quota.ts'],
	month: ['Get Usage, and the reserve of the month', 'core/month/month.ts', 'resources/account.ts'],
	single: ['Register', 'resources/registration/index.ts', 'core/jobs/alreadyRegistered.ts'],
	update: [
		'Update a registration, and Sync',
		'resources/registration/index.ts',
		'core/sync/steps.ts',
	],
	unregister: ['Unregister, and Sync', 'resources/registration/index.ts', 'core/sync/run.ts'],
	submit: ['Bulk registration: what is sent', 'core/bulk/job.ts', 'core/bulk/plan.ts'],
	jobs: ['The state of a job', 'core/jobs/jobState.ts'],
	results: [
		'Whose the results of a job are',
		'core/jobs/task.ts',
		'core/bulk/assign.ts',
		'core/bulk/job.ts',
	],
	subscriptions: [
		'The subscription of the trigger',
		'core/deliveries/subscriptions.ts',
		'core/deliveries/proof.ts',
	],
	deliveries: ['The webhook trigger', 'core/deliveries/delivery.ts', 'core/deliveries/receive.ts'],
	signature: ['The signature of a delivery', 'core/deliveries/proof.ts'],
	recordings: [
		'Recordings and their download',
		'resources/downloadRecording.ts',
		'core/files/transfer.ts',
	],
	content: ['Questions, chat messages and recordings of a session', 'resources/records.ts'],
	account: ['The account operations', 'resources/account.ts'],
	manage: [
		'Creating, changing and deleting events and sessions',
		'resources/event.ts',
		'resources/session.ts',
	],
	team: ['The users of the workspace', 'resources/user.ts'],
} as const satisfies Record<string, readonly [feature: string, ...files: string[]]>;

export type Use = keyof typeof uses;
