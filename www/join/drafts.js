// The draft of a room's last question, which stays on the device.

/** @param {string} room */
export function drafts(room) {
  const key = `quorate.draft.${room}`;
  const attempt = (act) => {
    try {
      return act();
    } catch {
      return null; // Storage may be closed to the page; then a reload begins anew.
    }
  };
  return {
    /** Returns the values, or null. */
    read: (ask) =>
      attempt(() => {
        const kept = JSON.parse(localStorage.getItem(key));
        return kept?.ask === ask ? kept.values : null;
      }),
    write: (ask, values) => attempt(() => localStorage.setItem(key, JSON.stringify({ ask, values }))),
    remove: () => attempt(() => localStorage.removeItem(key)),
  };
}
