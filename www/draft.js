// Keeps what is typed into a field, so that it is there again after a reload.

/** A function to call after every change of `field`: it is stored at once, and what is typed meanwhile with the next. */
export function draftKeeper(Library, session, name, field, stored = "") {
  let kept = stored;
  let isKeeping = false;
  return async () => {
    if (isKeeping) return;
    isKeeping = true;
    while (kept !== field.value) {
      kept = field.value;
      await Library.saveDraft(session, name, kept).catch(() => {});
    }
    isKeeping = false;
  };
}
