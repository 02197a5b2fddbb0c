import { AnswerColumns } from '../../../nodes/EventPlatform/core/records/recordView';
import { Fields } from '../../../nodes/EventPlatform/core/records/simplify';
import { registration } from './registrationFields';

describe('the platform may have kept an answer', () => {
	const columns = new AnswerColumns();
	columns.record(registration('s', 'email', 'company'));
	columns.record(registration('s', 'email', 'id_answer'));

	test.each<[string, string, string, boolean]>([
		['where a registration has its column', 's', 'company', true],
		['where a later registration has its column', 's', 'id', true],
		['where no registration of the session was seen', 'other', 'phone', true],
		['not where no registration of the session has its column', 's', 'phone', false],
	])('%s', (_, session, question, isPossible) => {
		expect(columns.mayHave(session, question)).toBe(isPossible);
	});
});

test('a record that is no registration says nothing of answers', () => {
	const columns = new AnswerColumns();
	columns.record(new Fields([['session_id', 's']]));
	expect(columns.mayHave('s', 'company')).toBe(true);
});

test('the columns of one session say nothing of another', () => {
	const columns = new AnswerColumns();
	columns.record(registration('s', 'company'));
	columns.record(registration('t', 'phone'));
	expect(columns.mayHave('t', 'company')).toBe(false);
});
