/** "already_registered", "has already been taken", "Email has already been invited" … */
const words =
	/already[\s_-]+(?:(?:an?|been|has|is|was)[\s_-]+)?(?:regist|exist|taken|in use|invit|sign|particip|subscri|added)/;

/**
 * Whether the platform's words say that somebody, or something, is there already: whatever code or
 * status they come with. Not everything that is already so is meant: a session may have ended already.
 */
export function saysAlreadyThere(said: string): boolean {
	return words.test(said.toLowerCase());
}
