/** What a person can put right: a message without a stack, and the exit code. */
export class Trouble extends Error {
  constructor(message, code = 2) {
    super(message);
    this.code = code;
  }
}
