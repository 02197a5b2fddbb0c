import type { INodeProperties, INodePropertyMode, INodePropertyModeValidation } from 'n8n-workflow';
import { titleCase } from './fieldNames';

const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

type EntryMode = Omit<INodePropertyMode, 'type'>;

function entryMode(displayName: string, name: string, example: string): EntryMode {
	return { displayName, name, placeholder: `e.g. ${example}` };
}

function chooser(
	noun: string,
	searchListMethod: string,
	ways: EntryMode[],
	placeholder = `Select ${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}…`,
) {
	return {
		displayName: titleCase(noun),
		type: 'resourceLocator' as const,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list' as const,
				placeholder,
				typeOptions: { searchListMethod, searchable: true },
			},
			...ways.map((way): INodePropertyMode => ({ ...way, type: 'string' })),
		],
	};
}

/** `address` has one group, the ID. */
function locator(
	noun: string,
	searchListMethod: string,
	page?: { address: string; example: string; placeholder?: string },
): INodeProperties {
	const validation = regexCheck(
		// The platform promises only something like a UUID. n8n itself says that an empty ID is required.
		'^\\s*(?:[0-9a-zA-Z][0-9a-zA-Z_-]*\\s*)?$',
		`Not a valid ${titleCase(noun)} ID: use letters, digits, hyphens and underscores only`,
	);
	const byId = entryMode('By ID', 'id', '2f6bb5b2-5a4a-4f5e-9d0e-8c1d3c7a9b10');
	const ways = [{ ...byId, validation }];
	if (page) {
		const validation = regexCheck(
			`^\\s*$|${page.address}.*$`,
			`There is no ${noun} ID in this URL. Copy the address from the page of the ${noun}`,
		);
		const extractValue = { type: 'regex' as const, regex: page.address };
		ways.push({ ...entryMode('By URL', 'url', page.example), extractValue, validation });
	}
	return {
		...chooser(noun, searchListMethod, ways, page?.placeholder),
		name: `${noun}Id`,
		required: true,
	};
}

function regexCheck(regex: string, errorMessage: string): INodePropertyModeValidation[] {
	return [{ type: 'regex', properties: { regex, errorMessage } }];
}

export const eventLocator: INodeProperties = locator('event', 'searchEvents', {
	// The ID stands behind /events/ or the short /p/. In any other address the first ID is the event.
	address: `^\\s*https?://(?:\\S*/(?:events|p)/|\\S*?)(${uuid})`,
	example: 'https://app.livestorm.co/p/2f6bb5b2-5a4a-4f5e-9d0e-8c1d3c7a9b10/form',
});

export const sessionLocator: INodeProperties = locator('session', 'searchSessions', {
	// The ID stands behind /sessions/ or in the room link's "s". In any other address the last ID is the session.
	address: `^\\s*https?://(?:\\S*(?:/sessions/|[?&]s=)|\\S*)(${uuid})`,
	example: 'https://app.livestorm.co/acme/demo/live?s=7c9e6679-7425-40de-944b-e07fc1f90ae7',
	placeholder: 'Select a session (one date of an event)…',
});

const personLocatorWith = (searchMethod: string) =>
	locator('person', searchMethod, {
		// The ID stands behind /people/. In any other address the last ID is the person.
		address: `^\\s*https?://(?:\\S*/people/|\\S*)(${uuid})`,
		example: 'https://app.livestorm.co/#/people/9b2e7f64-0d1c-4f6e-8a58-3f1f0c2d4e5a',
	});

const personLocator: INodeProperties = personLocatorWith('searchPeople');

export const sessionPersonLocator: INodeProperties = personLocatorWith('searchSessionPeople');

export const userLocator: INodeProperties = locator('user', 'searchUsers');

const webhookLocator: INodeProperties = locator('webhook', 'searchWebhooks');

export const recordingLocator: INodeProperties = optionalLocator(
	locator('recording', 'searchRecordings'),
	'The recording to download. If empty, the newest one of the session.',
);

export function optionalLocator(
	field: INodeProperties,
	description: string,
	named?: Pick<INodeProperties, 'name' | 'displayName'>,
): INodeProperties {
	const optionalField = { ...field, description, ...named };
	delete optionalField.required;
	return optionalField;
}

export function nounOf({ type, required, displayName }: INodeProperties): string | undefined {
	return type === 'resourceLocator' && required ? displayName.toLowerCase() : undefined;
}

export function locatorsOf(path: string): INodeProperties[] {
	const locators = [eventLocator, sessionLocator, personLocator, userLocator, webhookLocator];
	return locators.filter(({ name }) => path.includes(`{${name}}`));
}

export const timezoneLocator: INodeProperties = {
	...chooser('timezone', 'searchTimezones', [entryMode('By Name', 'id', 'Europe/Paris')]),
	name: 'timezone',
	description: 'Time zone of the session. If empty, the time zone of the workflow.',
};

export const attributeLocator: INodeProperties = {
	...chooser('field', 'searchAttributes', [entryMode('By ID', 'id', 'company')]),
	name: 'id',
	description:
		'A chosen field brings its choices. By ID: first_name, or the slug of a person attribute.',
};

/** A part of a subtitle, which n8n evaluates. `$parameter` itself gives only the ID of a record. */
export function chosenFromList(paths: readonly string[]): string {
	const names = paths.map(
		(path) => `(saved.${path}?.mode === "list" ? saved.${path}.cachedResultName : "")`,
	);
	return `((saved) => ${names.join(' || ')})($parameter.toJSON ? $parameter.toJSON() : {})`;
}
