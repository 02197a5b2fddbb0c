import { byId, say, set } from './dom.js';

/** Shows at each switch whether it is on. The top of the page tells of all that are on together. */
export function showCockpit({ cockpit: { on, faults } }) {
	for (const button of document.querySelectorAll('[data-try][aria-pressed]')) {
		set(
			button,
			'aria-pressed',
			on.some(({ id }) => id === button.dataset.try),
		);
	}
	const hard = on.map(({ title, words }) => `${title}: ${words}`);
	const sentences = faults > 0 ? [...hard, `${faults} requests are still to go wrong.`] : hard;
	byId('notice').hidden = sentences.length === 0;
	say(byId('notice'), sentences.join(' '));
}

const everythingGoes =
	'Start over? What you created is deleted, and sample people that were added later go, too.';

/** Presses, and says in a sentence what came of it. */
export function enableCockpit(refresh) {
	for (const button of document.querySelectorAll('[data-try]')) {
		button.addEventListener('click', async () => {
			if (button.dataset.try === 'reset' && !confirm(everythingGoes)) return;
			const pressed = button.getAttribute('aria-pressed');
			const body = pressed === null ? {} : { on: pressed === 'false' };
			say(byId('message'), await press(button.dataset.try, body));
			await refresh();
		});
	}
	for (const button of document.querySelectorAll('[data-copy]')) {
		button.addEventListener('click', () => copy(button));
	}
}

async function press(id, body) {
	try {
		const headers = { 'Content-Type': 'application/json' };
		const request = { method: 'POST', headers, body: JSON.stringify(body) };
		const answer = await (await fetch(`/_sandbox/try/${id}`, request)).json();
		return answer.message ?? answer.errors[0].detail;
	} catch {
		return 'The sandbox cannot be reached.';
	}
}

/** Where the browser keeps its clipboard to itself, what is to be copied is selected. */
async function copy(button) {
	try {
		await navigator.clipboard.writeText(button.dataset.copy);
		say(button, 'Copied');
	} catch {
		getSelection().selectAllChildren(button.closest('div').querySelector('dd'));
		say(button, 'Selected');
	}
	setTimeout(() => say(button, 'Copy'), 2000);
}
