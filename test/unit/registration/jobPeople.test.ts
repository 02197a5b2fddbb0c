import {
	peopleOfJob,
	rememberPeople,
} from '../../../nodes/EventPlatform/core/registration/jobPeople';

const people = { sessionId: 's1', emails: ['ann@x.org', 'bob@x.org'] };

describe('whom a job was for', () => {
	test('is unknown where the platform gave one id to two requests, however often it gives it', () => {
		rememberPeople('https://odd/v1', 'same', people);
		rememberPeople('https://odd/v1', 'same', { ...people, sessionId: 's2' });
		expect(peopleOfJob('https://odd/v1', 'same')).toBeUndefined();
		rememberPeople('https://odd/v1', 'same', { ...people, sessionId: 's3' });
		expect(peopleOfJob('https://odd/v1', 'same')).toBeUndefined();
	});

	test('is remembered by the platform and the job', () => {
		rememberPeople('https://one/v1', '1', people);
		expect(peopleOfJob('https://one/v1', '1')).toBe(people);
		expect(peopleOfJob('https://one/v1', '2')).toBeUndefined();
		expect(peopleOfJob('https://two/v1', '1')).toBeUndefined();
	});

	test('of one id on two platforms is remembered for each', () => {
		const peopleOfSecond = { ...people, sessionId: 's2' };
		rememberPeople('https://first/v1', '7', people);
		rememberPeople('https://second/v1', '7', peopleOfSecond);
		expect(peopleOfJob('https://first/v1', '7')).toBe(people);
		expect(peopleOfJob('https://second/v1', '7')).toBe(peopleOfSecond);
	});

	test('is forgotten when a thousand jobs came after it, and no sooner', () => {
		for (let job = 0; job < 1_000; job++) rememberPeople('https://big/v1', `${job}`, people);
		expect(peopleOfJob('https://big/v1', '0')).toBe(people);
		rememberPeople('https://big/v1', '1000', people);
		expect(peopleOfJob('https://big/v1', '0')).toBeUndefined();
		expect(peopleOfJob('https://big/v1', '1')).toBe(people);
	});
});
