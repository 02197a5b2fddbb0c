import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readDocument } from '../support/platform/contractDocument';
import eventPeople from '../support/recordedAnswers/eventPeople.json';
import eventWithSession from '../support/recordedAnswers/eventWithSession.json';
import jobAccepted from '../support/recordedAnswers/jobAccepted.json';
import largeWorkspace from '../support/recordedAnswers/largeWorkspace.json';
import me from '../support/recordedAnswers/me.json';
import publicEventRegistration from '../support/recordedAnswers/publicEventRegistration.json';
import recordings from '../support/recordedAnswers/recordings.json';
import reference2025 from '../support/recordedAnswers/reference2025.json';
import registration from '../support/recordedAnswers/registration.json';
import session from '../support/recordedAnswers/session.json';
import users from '../support/recordedAnswers/users.json';

const base = 'https://contract.invalid/openapi';
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema({ $id: base, components: { schemas: readDocument().components.schemas } });

/** The clients that kept these answers had left the ids out. */
const withId = (record: object) => ({ id: 'an-id', ...record });

test.each<[schema: string, recorded: object[]]>([
	['EventDocument', [eventWithSession]],
	['SessionPersonDocument', [publicEventRegistration, registration]],
	['EventPerson', eventPeople.data.map(withId)],
	['Recording', recordings.data.map(withId)],
	['Session', [withId(session.data), reference2025.session]],
	['User', users.data.map(withId)],
	['Organization', [reference2025.organization]],
	['FieldAnswers', [reference2025.personFields]],
	['MeDocument', Object.values(me)],
	['JobAnswer', [jobAccepted]],
	['FormField', largeWorkspace.fields],
])('the contract allows what was recorded of %s', (schema, recorded) => {
	const validate = ajv.compile({ $ref: `${base}#/components/schemas/${schema}` });
	const faults = recorded.flatMap((answer) => (validate(answer) ? [] : (validate.errors ?? [])));
	expect(recorded.length).toBeGreaterThan(0);
	expect(faults).toEqual([]);
});
