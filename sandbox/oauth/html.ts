const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Text that is markup already. Only `html` makes it. */
export class Markup {
	constructor(readonly text: string) {}
}

function render(part: unknown): string {
	if (part instanceof Markup) return part.text;
	if (Array.isArray(part)) return part.map(render).join('');
	return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** A template in which everything put in is escaped, except other markup. */
export function html(strings: TemplateStringsArray, ...parts: unknown[]): Markup {
	return new Markup(strings.reduce((text, string, i) => text + render(parts[i - 1]) + string));
}
