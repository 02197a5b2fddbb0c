/** Where the links in the records point to. Nothing is there: the sandbox has no rooms and no films. */
export const site = 'https://events.example.org';
