/** Characters that nobody sees: blanks, controls, joiners and fillers (src/language/blank.rs has the same). */
const UNSEEN = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]*$/u;

/** Returns whether a text shows nothing. */
export const isBlank = (text) => UNSEEN.test(text);
