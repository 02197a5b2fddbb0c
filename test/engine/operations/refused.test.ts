import { sandboxOfFile } from '../../support/platform/sandbox';
import { mapped, operate } from '../../support/n8n/operation';
import { byId } from '../../support/n8n/locators';

const nothing = '={{ $json.nope }}';
const usual = { eventId: byId('e1'), sessionId: byId('s1') };
const planned = { estimatedStartedAt: '2027-03-01T10:00:00Z', timezone: 'UTC' };
const gone = "={{ $('Gone').item.json.output }}";
const noNode = "Referenced node doesn't exist";
const emptied = '={{ "" }}';
const object = '={{ ({ a: 1 }) }}';
const misspelt = '={{ "failde" }}';
const noObject = "The value of 'UTM Source' is an object. Give text or a list of texts";
const ofAda = { fields: mapped({ email: 'a@b.cd' }) };
const asking = (question: object) => {
	return { title: 'T', additionalFields: { registrationForm: { question: [question] } } };
};
const notOnOff = (title: string) => `'${title}' must be true or false, not "ja"`;
const noAddress = (text: string) => `"${text}" is not an email address`;
const noUpdate = 'There is nothing to update';
const noWait = "'Max Wait' must be a number of seconds above 0";
const noCount = "'Max Removals' must be a whole number, 0 or higher";
const noSize = "'Max File Size' must be a number of megabytes above 0";

const sandbox = sandboxOfFile();

type Row = [operation: string, parameters: object, message: string];

test.each<Row>([
	['session.get', { sessionId: byId(' ') }, "'Session' is empty"],
	['session.get', { sessionId: byId(nothing, 'url') }, "'Session' is empty"],
	['person.get', { personId: byId('p1'), options: { eventId: byId('') } }, "'Event' is empty"],
	['session.getAll', { filters: { eventId: nothing } }, "The filter 'Event' is empty"],
	['session.getPeople', { filters: { email: nothing } }, "The filter 'Email' is empty"],
	['session.getPeople', { filters: { email: object } }, "The filter 'Email' is empty"],
	[
		'session.getPeople',
		{ filters: { createdSince: '', updatedUntil: null } },
		"The filter 'Created Since' is empty",
	],
	['session.delete', { sessionId: byId('={{ String($json.nope) }}') }, "'Session' is empty"],
	['session.delete', { sessionId: byId("={{ ['a', 'b'] }}") }, "'Session' is not a text"],
	['event.addTag', { tag: '={{ String($json.nope) }}' }, "'Tag' is empty"],
	['event.removeTag', { tag: "={{ ['a', 'b'] }}" }, "'Tag' is not a text"],
	['registration.unregister', { email: 'undefined' }, "'Email' is empty"],
	['registration.unregister', { email: 'ada' }, noAddress('ada')],
	[
		'registration.unregister',
		{ email: 'a@b.c, d@e.f' },
		'"a@b.c, d@e.f" holds 2 email addresses instead of one',
	],
	['event.update', { updateFields: {} }, noUpdate],
	['event.update', { updateFields: { title: nothing } }, noUpdate],
	['event.update', { updateFields: { recordingPublic: emptied, status: emptied } }, noUpdate],
	['event.update', { updateFields: { title: "={{ ['a'] }}" } }, "'Title' is not a text"],
	['event.update', { updateFields: { ownerId: byId(nothing) } }, "'Owner' is empty"],
	['event.update', { updateFields: { title: '={{ String($json.nope) }}' } }, "'Title' is empty"],
	['registration.update', { email: 'a@b.cd', fields: mapped({ company: '' }) }, noUpdate],
	[
		'registration.update',
		{ email: 'a@b.cd', fields: mapped({ email: 'n. a.' }) },
		noAddress('n. a.'),
	],
	['registration.sync', { ...ofAda, output: gone }, noNode],
	[
		'registration.sync',
		{ ...ofAda, output: misspelt },
		`'Output' must be one of people, failed, changes, summary, not "failde"`,
	],
	[
		'registration.bulkRegister',
		{ ...ofAda, output: misspelt },
		`'Output' must be one of people, failed, summary, not "failde"`,
	],
	[
		'registration.bulkRegister',
		{ ...ofAda, output: object },
		`'Output' must be one of people, failed, summary, not {"a":1}`,
	],
	[
		'registration.register',
		{ ...ofAda, options: { ifAlreadyRegistered: misspelt } },
		`'If Already Registered' must be one of return, fail, not "failde"`,
	],
	[
		'registration.register',
		{ ...ofAda, options: { unknownChoices: misspelt } },
		`'Unknown Choices' must be one of refuse, leaveOut, send, not "failde"`,
	],
	[
		'registration.unregister',
		{ by: misspelt, email: 'a@b.cd', personId: byId('p1') },
		`'Find Person By' must be one of email, person, not "failde"`,
	],
	[
		'job.wait',
		{ jobId: 'j1', options: { onTimeout: misspelt } },
		`'On Timeout' must be one of return, fail, not "failde"`,
	],
	[
		'session.getReport',
		{ output: misspelt },
		`'Output' must be one of summary, groups, page, people, not "failde"`,
	],
	[
		'session.getReport',
		{ output: 'groups', groupBy: misspelt },
		`'Group By' must be one of utmSource, utmMedium, utmCampaign, referrer, country, question, not "failde"`,
	],
	[
		'session.getReport',
		{ output: 'groups', groupBy: 'question', questionId: ' ' },
		"'Question ID' is empty",
	],
	...[
		[{ dryRun: 'maybe' }, '\'Dry Run\' must be true or false, not "maybe"'] as const,
		[{ dryRun: 2 }, "'Dry Run' must be true or false, not 2"] as const,
		[{ removeOthers: 'ja' }, notOnOff('Remove Others')] as const,
		...[-1, 1.5, '={{ true }}', '0x10', '1e3', ' ', '١'].map(
			(mostRemovals) => [{ mostRemovals }, noCount] as const,
		),
	].map(([options, message]): Row => ['registration.sync', { ...ofAda, options }, message]),
	['session.create', { ...planned, estimatedStartedAt: nothing }, "'Start' is empty"],
	['event.create', { title: nothing }, "'Title' is empty"],
	['event.create', asking({ id: nothing }), "'Field' is empty"],
	['event.create', asking({ id: 'a', required: 'ja' }), notOnOff('Required')],
	[
		'event.create',
		asking({ id: 'a', type: 'multiple', choices: 'A, B', severalAnswers: 'ja' }),
		notOnOff('Several Answers'),
	],
	['registration.register', { ...ofAda, additionalFields: { utmSource: object } }, noObject],
	...[0, -1, 'long'].map((seconds): Row => {
		return ['job.wait', { jobId: 'j1', options: { maxWaitSeconds: seconds } }, noWait];
	}),
	...['500 MB', 0, ''].map((size): Row => {
		return ['session.downloadRecording', { options: { maxFileSize: size } }, noSize];
	}),
])('%s with %j is refused before anything is sent', async (operation, parameters, message) => {
	const { error, requests } = await run(operation, parameters);
	expect(error?.message).toBe(message);
	expect(requests).toEqual([]);
});

test('what an expression gives as another type is sent as what it means', async () => {
	const updateFields = { recordingPublic: '={{ "no" }}', title: '={{ 5 }}', slug: '' };
	const { requests } = await run('event.update', { updateFields });
	const attributes = { recording_public: false, slug: '', title: '5' };
	const body = { data: { type: 'events', id: 'e1', attributes } };
	expect(requests.map((request) => request.body)).toEqual([body]);
});

function run(name: string, parameters: object) {
	return operate(sandbox, name, { ...usual, ...parameters });
}
