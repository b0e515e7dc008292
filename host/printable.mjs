/** Colours and other commands for a terminal. */
const COMMANDS = /(?!\s)\p{Cc}\[[0-?]*[ -/]*[@-~]/gu;
/** Line breaks, tabs and invisible signs that turn the direction of text. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Returns text of a file on one line, without characters that would affect the terminal.
 * @param {string} text
 */
export const printable = (text) => text.replace(COMMANDS, '').replace(UNSEEN, ' ');
