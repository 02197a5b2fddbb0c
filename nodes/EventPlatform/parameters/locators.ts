import type { INodeProperties } from 'n8n-workflow';

const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

interface Located {
	name: string;
	displayName: string;
	/** The kind of record, in lower case. */
	noun: string;
	searchMethod: string;
	description: string;
	/** How its page is found, where it has one. */
	page?: {
		/** Where its id stands in an address of the platform; one group, which is the id. */
		address: string;
		example: string;
	};
}

function locator(located: Located): INodeProperties {
	const { displayName, noun, page } = located;
	return {
		displayName,
		name: located.name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: located.description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}…`,
				typeOptions: {
					searchListMethod: located.searchMethod,
					searchable: true,
				},
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 2f6bb5b2-5a4a-4f5e-9d0e-8c1d3c7a9b10',
				validation: [
					{
						type: 'regex',
						properties: {
							// UUIDs in practice; the platform only promises something like one.
							// Of an empty one n8n says itself that it is required.
							regex: '^\\s*(?:[0-9a-zA-Z][0-9a-zA-Z_-]*\\s*)?$',
							errorMessage: `Not a valid ${displayName} ID: it has letters, digits and hyphens only`,
						},
					},
				],
			},
			...(page
				? [
						{
							displayName: 'By URL',
							name: 'url',
							type: 'string' as const,
							placeholder: `e.g. ${page.example}`,
							extractValue: { type: 'regex' as const, regex: page.address },
							validation: [
								{
									type: 'regex',
									properties: {
										regex: `^\\s*$|${page.address}.*$`,
										errorMessage: `There is no ${noun} ID in this URL. Copy the address from the page of the ${noun}`,
									},
								},
							],
						},
					]
				: []),
		],
	};
}

export const eventLocator = locator({
	name: 'eventId',
	displayName: 'Event',
	noun: 'event',
	searchMethod: 'searchEvents',
	description: 'The event to operate on',
	page: {
		// Behind /events/ or the short /p/; in any other address the first ID is the event.
		address: `^\\s*https?://(?:\\S*/(?:events|p)/|\\S*?)(${uuid})`,
		example: 'https://app.livestorm.co/p/2f6bb5b2-5a4a-4f5e-9d0e-8c1d3c7a9b10/form',
	},
});

export const sessionLocator = locator({
	name: 'sessionId',
	displayName: 'Session',
	noun: 'session',
	searchMethod: 'searchSessions',
	description: 'The session to operate on. A session is one date of an event.',
	page: {
		// Behind /sessions/ or in the room link's "s"; in any other address the last ID is the session.
		address: `^\\s*https?://(?:\\S*(?:/sessions/|[?&]s=)|\\S*)(${uuid})`,
		example: 'https://app.livestorm.co/acme/demo/live?s=7c9e6679-7425-40de-944b-e07fc1f90ae7',
	},
});

const person = {
	name: 'personId',
	displayName: 'Person',
	noun: 'person',
	description: 'The person to operate on',
	page: {
		// Behind /people/; in any other address the last ID is the person.
		address: `^\\s*https?://(?:\\S*/people/|\\S*)(${uuid})`,
		example: 'https://app.livestorm.co/#/people/9b2e7f64-0d1c-4f6e-8a58-3f1f0c2d4e5a',
	},
};

export const personLocator = locator({ ...person, searchMethod: 'searchPeople' });

/** Offers the people of the session that is chosen above it. */
export const sessionPersonLocator = locator({ ...person, searchMethod: 'searchSessionPeople' });

export const userLocator = locator({
	name: 'userId',
	displayName: 'User',
	noun: 'user',
	searchMethod: 'searchUsers',
	description: 'The team member to operate on',
});

export const webhookLocator = locator({
	name: 'webhookId',
	displayName: 'Webhook',
	noun: 'webhook',
	searchMethod: 'searchWebhooks',
	description: 'The webhook to operate on',
});

/** Offers the recordings of the session that is chosen above it. */
export const recordingLocator: INodeProperties = {
	...locator({
		name: 'recordingId',
		displayName: 'Recording',
		noun: 'recording',
		searchMethod: 'searchRecordings',
		description: 'The recording to download. If empty, the newest one of the session.',
	}),
	required: false,
};

/** Those that name the records of a path such as `/events/{eventId}`. */
export function locatorsOf(path: string): INodeProperties[] {
	const all = [eventLocator, sessionLocator, personLocator, userLocator, webhookLocator];
	return all.filter(({ name }) => path.includes(`{${name}}`));
}

/** Of all that n8n knows. A saved workflow may have it as a text. */
export const timezoneLocator: INodeProperties = {
	displayName: 'Timezone',
	name: 'timezone',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'Time zone of the session. If empty, the time zone of the workflow.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a timezone…',
			typeOptions: { searchListMethod: 'searchTimezones', searchable: true },
		},
		{
			displayName: 'By Name',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. Europe/Paris',
		},
	],
};
