import '../support/time/fasterClock';
import { tokenCredential } from '../support/n8n/engineConsent';
import { byId } from '../support/n8n/locators';
import { operate } from '../support/n8n/operation';
import { registerPeople } from '../support/platform/platformRecords';
import { registered } from '../support/platform/registrants';
import { rewrittenSandbox } from '../support/platform/rewrittenSandbox';
import { sandboxForTests } from '../support/platform/sandbox';
import { heldSession, upcomingSession } from '../support/platform/seededIds';
import { bulkRegister, emailsOf, numberedPeople, sync } from '../support/runs/bulkScene';

/* A UUID in capital letters is the one in small letters, wherever the platform writes it so. */

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const inCapitals = (text: string) => text.replaceAll(uuid, (id) => id.toUpperCase());

test('who was just added, as the ID in the result shows, is not removed under another address', async () => {
	const sandbox = await sandboxForTests({ rate: 1_000 });
	const others = numberedPeople(10);
	const [known, added] = [{ email: 'ada@example.com' }, { email: 'lovelace@work.example' }];
	await registerPeople(sandbox, [...others, known]);
	const people = await sandbox.api.get<{ data: Array<{ id: string }> }>(
		`/sessions/${upcomingSession}/people?filter[email]=${known.email}`,
	);
	const idOfKnown = people.data.data[0]?.id ?? '';
	expect(idOfKnown).not.toBe('');
	// The platform knows both addresses as one person, and lists the older one.
	const platform = await rewrittenSandbox(sandbox, {
		answer: (text, { url }) => {
			if (!url.includes('/tasks')) return text;
			return text.replace(uuid, idOfKnown.toUpperCase());
		},
	});
	const options = { removeOthers: true, mostRemovals: 5 };
	const { error, records } = await sync(sandbox, [...others, added], options, {
		credential: tokenCredential(platform),
	});
	expect(error).toBeUndefined();
	expect(records.find(({ email }) => email === known.email)).toMatchObject({
		status: 'kept',
		reason: expect.stringContaining('as the ID shows') as string,
	});
	expect(await registered(sandbox)).toEqual(emailsOf([...others, known, added]));
});

test('the people of a job are named, whether its ID is asked for as the platform wrote it or not', async () => {
	const sandbox = await sandboxForTests({ rate: 1_000 });
	const platform = await rewrittenSandbox(sandbox, {
		url: (url) => url.toLowerCase(),
		answer: (text, { method }) => (method === 'POST' ? inCapitals(text) : text),
	});
	const credential = tokenCredential(platform);
	const refused = { email: 'Ada@my_company.example' };
	const [{ job_id } = {}] = (
		await bulkRegister(sandbox, [...numberedPeople(3), refused], { credential })
	).records;
	const jobId = job_id as string;
	expect(jobId).toBe(jobId.toUpperCase());
	for (const spelling of [jobId, jobId.toLowerCase()]) {
		const { records } = await operate(platform, 'job.getTasks', { jobId: spelling });
		expect(records.find(({ status }) => status === 'failed')).toMatchObject(refused);
	}
});

test('who asked a question is named, though the included people have their IDs in capital letters', async () => {
	const sandbox = await sandboxForTests({ rate: 1_000 });
	const platform = await rewrittenSandbox(sandbox, {
		answer: (text) => text.replace(/"included":.*/s, inCapitals),
	});
	const ofHeld = { sessionId: byId(heldSession) };
	const [usual, other] = [
		await operate(sandbox, 'session.getQuestions', ofHeld),
		await operate(platform, 'session.getQuestions', ofHeld),
	];
	expect(usual.records[0]?.asker_email).toMatch(/@/);
	expect(other.records).toEqual(usual.records);
});
