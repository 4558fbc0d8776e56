// The rooms stored in this browser, for views that link to them. Loads nothing if there never was one.
const DATABASE = "quorate-rooms";
/** The id of a table's session: the room's id and a number, or that of a run of a study, whose tables may be held again. */
const TABLE = /^[\w-]{22}-\d+$|\.\d{4}(\.\d+)?$/;

/** Returns whether a session may be a room's table, whose people sit elsewhere. */
export const isTable = (session) => TABLE.test(session);

/** All rooms: `{ id, title, opened, closed, sessions }`, the newest first; empty if the browser cannot list them. */
export async function keptRooms() {
  try {
    if (!(await indexedDB.databases()).some(({ name }) => name === DATABASE)) return [];
    const { list } = await import("./hosted-rooms.js");
    return (await list()).sort((a, b) => b.opened - a.opened);
  } catch {
    return [];
  }
}

export const openRooms = async () => (await keptRooms()).filter(({ closed }) => !closed);

/** `{ room, table }` of a session that belongs to one of `rooms`, or null. */
export function tableOf(rooms, session) {
  const room = rooms.find(({ sessions }) => sessions.includes(session));
  return room ? { room, table: room.sessions.indexOf(session) + 1 } : null;
}

/** Opens the room of a table's session, so that it is not run without its guests. Resolves like `tableOf`. */
export async function withRoom(session, engine) {
  const found = isTable(session) && tableOf(await openRooms(), session);
  if (found) await (await import("./hosted-rooms.js")).getRoom(found.room.id, engine);
  return found || null;
}
