import { reasonOf } from '../../../nodes/EventPlatform/core/people/reason';

const said = (...messages: string[]) => messages.map((message) => ({ code: 'c', message }));

test.each([
	[['The session is full'], 'The session is full.'],
	[['The session is full.', 'Come later.'], 'The session is full; Come later.'],
	[['Too long ', ' Too long', 'Bad'], 'Too long; Bad.'],
	[['', 'Bad'], 'Bad.'],
	[['Is it?'], 'Is it?'],
	[['And 5 more…'], 'And 5 more…'],
	[['Stop!', 'Really!'], 'Stop!; Really!'],
	[['', ' '], undefined],
	[[], undefined],
])('the reasons %j are the sentence %j', (messages, sentence) => {
	expect(reasonOf(said(...messages))).toBe(sentence);
});
