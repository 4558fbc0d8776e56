// Limits of rooms, for both sides: those of src/core/form.rs and src/room/mod.rs, which tests/native/rooms.rs compares.

export const LIMITS = Object.freeze({
  /** Most characters of one text of an answer. */
  text: 20000,
  /** Sizes that messages are padded to: powers of two from the smallest to the step, then multiples of the step. */
  smallest: 256,
  step: 65536,
  /** Most bytes of a padded message. */
  message: 983040,
});
