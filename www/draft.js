// Stores what is typed into a field, so that it survives a reload.

/**
 * Returns a function to call after every change of `field`. Writes at once; changes during a write are stored with the
 * next.
 */
export function draftKeeper(Library, session, name, field, stored = "") {
  let savedText = stored;
  let isKeeping = false;
  return async () => {
    if (isKeeping) return;
    isKeeping = true;
    while (savedText !== field.value) {
      savedText = field.value;
      await Library.saveDraft(session, name, savedText).catch(() => {});
    }
    isKeeping = false;
  };
}
