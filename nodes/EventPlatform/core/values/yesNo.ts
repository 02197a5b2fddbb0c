/**
 * The words for yes and no in the languages whose headers are understood and in Italian, among them those that Excel writes for TRUE and
 * FALSE. They are for answers of people. The switches of a node take far fewer words, because one of them may remove people.
 */
const words = {
	yes: 'true 1 yes y on ja wahr oui vrai si sí sì verdadero vero',
	no: 'false 0 no n off nein falsch non faux falso',
} as const;

const meaningOfWord = new Map(
	(['yes', 'no'] as const).flatMap((meaning) =>
		words[meaning].split(' ').map((word) => [word, meaning] as const),
	),
);

/** Reads a word for yes or no, whatever its letter case; undefined for any other text. */
export function readYesOrNo(answer: string): 'yes' | 'no' | undefined {
	return meaningOfWord.get(answer.trim().normalize('NFC').toLowerCase());
}
